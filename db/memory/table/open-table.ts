import { type Connection, Index, type Table } from '@lancedb/lancedb';
import { MemoryError } from '../memory-error.ts';
import { ensureVectors } from '../vectors/vector-column.ts';
import { createTextIndex } from './indexes.ts';
import { memorySchema, schemaVersion, versionKey } from './schema.ts';
import { unlessAnotherDid, write } from './write.ts';

const tableName = 'memories';

/**
 * Opens the table; creates it, or what it lacks.
 * @throws {MemoryError} `NewerMemoryTable`
 */
export async function openTable(
  connection: Connection,
  { dimensions, language }: { dimensions: number; language: string },
): Promise<Table> {
  const table = await findOrCreate(connection, dimensions);
  const version = Number((await table.schema()).metadata.get(versionKey));
  if (version > schemaVersion) {
    throw new MemoryError(
      'NewerMemoryTable',
      `Expected memories of version ${schemaVersion} at most, found version ${version}. Use the newer Longhaul that wrote them.`,
    );
  }
  // Checked at each opening: whoever created the table may have been killed before it was complete.
  await ensureKey(table);
  await ensureVectors(table, dimensions);
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns));
  if (!indexed.has('id')) await write(() => table.createIndex('id', { config: Index.btree() }));
  if (!indexed.has('text')) await write(() => createTextIndex(table, language));
  return table;
}

async function findOrCreate(connection: Connection, dimensions: number): Promise<Table> {
  const existing = await find(connection);
  if (existing) return existing;
  try {
    // With LanceDB's own `existOk`, the later of two processes that start at once overwrites the table of the earlier.
    return await connection.createEmptyTable(tableName, memorySchema(dimensions), { mode: 'create' });
  } catch (error) {
    const theirs = await find(connection);
    if (!theirs) throw error;
    return theirs;
  }
}

/** Undefined also if there is only the folder: another process is creating the table, or was killed while it did. */
async function find(connection: Connection): Promise<Table | undefined> {
  if (!(await connection.tableNames()).includes(tableName)) return undefined;
  try {
    return await connection.openTable(tableName);
  } catch (error) {
    if (/Not found: \S*_versions/.test(String(error))) return undefined;
    throw error;
  }
}

/** Lets LanceDB detect that two processes insert the same id at once. It refuses to set the key again. */
async function ensureKey(table: Table): Promise<void> {
  const isSet = async () => {
    const { metadata } = (await table.schema()).fields.find(({ name }) => name === 'id') ?? {};
    return [...(metadata?.keys() ?? [])].some((key) => key.startsWith('lance-schema:unenforced-primary-key'));
  };
  if (await isSet()) return;
  await unlessAnotherDid(() => write(() => table.setUnenforcedPrimaryKey('id')), isSet);
}
