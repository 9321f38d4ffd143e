import type { Connection, Table } from '@lancedb/lancedb';
import { Index } from '@lancedb/lancedb';
import { createTextIndex } from './indexes.ts';
import { migrateFirstVersion } from './migrate.ts';
import { derivedColumns, formerColumns, memorySchema, schemaVersion, versionKey } from './schema.ts';
import { ensureVectors } from './vector-column.ts';
import { unlessAnotherDid, write } from './write.ts';

/** The first version was called `memories`; its rows are taken over and it is dropped. */
const tableName = 'memories_v2';
const firstTableName = 'memories';

/** Timeout in milliseconds; a million rows take seconds. */
const longestMigrationMs = 10 * 60_000;

/** Thrown if a newer Longhaul wrote the table. */
export class NewerMemoryTableError extends Error {
  override name = 'NewerMemoryTableError';
}

/**
 * Opens the table; creates it, or what it lacks, and takes over the rows of an earlier version.
 * @throws {NewerMemoryTableError}
 */
export async function openTable(
  connection: Connection,
  { dimensions, language }: { dimensions: number; language: string },
): Promise<Table> {
  const table = await findOrCreate(connection, dimensions);
  const version = await versionOf(table);
  if (version > schemaVersion) {
    throw new NewerMemoryTableError(
      `Expected memories of version ${schemaVersion} at most, found version ${version}. A newer Longhaul wrote them; use that one.`,
    );
  }
  // Checked at each opening: whoever created the table may have been killed before it was complete.
  await ensureKey(table);
  await addDerivedColumns(table);
  if (version < schemaVersion) await raiseVersion(table);
  await ensureVectors(table, dimensions);
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns));
  if (!indexed.has('id')) await write(() => table.createIndex('id', { config: Index.btree() }));
  if (!indexed.has('text')) await write(() => createTextIndex(table, language));
  if ((await connection.tableNames()).includes(firstTableName)) await takeOver(connection, table);
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

/**
 * A table created with a version has it in its own metadata, which cannot be written later; one raised to a version has it in the metadata of the
 * text column.
 */
async function versionOf(table: Table): Promise<number> {
  const { metadata, fields } = await table.schema();
  const raised = fields.find(({ name }) => name === 'text')?.metadata;
  return Math.max(...[metadata, raised].map((each) => Number(each?.get(versionKey) ?? 0)));
}

async function raiseVersion(table: Table): Promise<void> {
  await write(() => table.updateFieldMetadata([{ path: 'text', metadata: { [versionKey]: String(schemaVersion) } }]));
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

/** Versions 2 and 3 of the table have the same name but lack these columns; they are added beside the others, which stay as they are. */
async function addDerivedColumns(table: Table): Promise<void> {
  const columns = Object.entries(derivedColumns).map(([name, valueSql]) => ({ name, valueSql }));
  const has = async () => (await columnsOf(table)).includes('found_by'); // both are added at once
  if (await has()) await fillDerivedColumns(table);
  else await unlessAnotherDid(() => write(() => table.addColumns(columns), longestMigrationMs), has);
  const former = async () => (await columnsOf(table)).filter((name) => formerColumns.includes(name));
  const left = await former();
  if (left.length)
    await unlessAnotherDid(
      () => write(() => table.dropColumns(left)),
      async () => !(await former()).length,
    );
}

async function columnsOf(table: Table): Promise<string[]> {
  return (await table.schema()).fields.map(({ name }) => name);
}

/** Fills in the derived columns for rows of an older Longhaul that is still running; until then no search finds these rows. */
export async function fillDerivedColumns(table: Table): Promise<void> {
  const where = 'found_by is null';
  if (!(await table.countRows(where))) return;
  await write(() => table.update({ where, valuesSql: derivedColumns }), longestMigrationMs);
}

async function takeOver(connection: Connection, table: Table): Promise<void> {
  await unlessAnotherDid(
    async () => {
      await migrateFirstVersion(await connection.openTable(firstTableName), table);
      await connection.dropTable(firstTableName);
    },
    async () => !(await connection.tableNames()).includes(firstTableName),
  );
}
