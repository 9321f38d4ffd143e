import type { Connection, Table } from '@lancedb/lancedb';
import { Index } from '@lancedb/lancedb';
import { createTextIndex } from './indexes.ts';
import { migrateFirstVersion } from './migrate.ts';
import { memorySchema, schemaVersion, versionKey } from './schema.ts';
import { write } from './write.ts';

/** The first version had the name `memories`; its rows are taken over and it is dropped. */
const tableName = 'memories_v2';
const firstTableName = 'memories';

/** Thrown when a newer Longhaul wrote the table. */
export class NewerMemoryTableError extends Error {
  override name = 'NewerMemoryTableError';
}

/** Opens the table; makes it, or what is missing of it, with what an earlier version of it holds. */
export async function openTable(
  connection: Connection,
  { dimensions, language }: { dimensions: number; language: string },
): Promise<Table> {
  const table = await findOrCreate(connection, dimensions);
  const version = Number((await table.schema()).metadata.get(versionKey));
  if (version > schemaVersion) {
    throw new NewerMemoryTableError(
      `Expected memories of version ${schemaVersion} at most, found version ${version}. A newer Longhaul wrote them; use that one.`,
    );
  }
  // Looked for at each opening: whoever made the table may have been killed before it had them.
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns));
  if (!indexed.has('id')) await write(() => table.createIndex('id', { config: Index.btree() }));
  if (!indexed.has('text')) await write(() => createTextIndex(table, language));
  if ((await connection.tableNames()).includes(firstTableName)) await takeOver(connection, table);
  return table;
}

async function findOrCreate(connection: Connection, dimensions: number): Promise<Table> {
  if ((await connection.tableNames()).includes(tableName)) return connection.openTable(tableName);
  try {
    // LanceDB's own existOk lets the later of two processes that start at once overwrite the table of the earlier.
    const table = await connection.createEmptyTable(tableName, memorySchema(dimensions), { mode: 'create' });
    await table.setUnenforcedPrimaryKey('id'); // two processes that insert one id at once are found out by it
    return table;
  } catch (error) {
    if (!(await connection.tableNames()).includes(tableName)) throw error;
    return connection.openTable(tableName);
  }
}

async function takeOver(connection: Connection, table: Table): Promise<void> {
  try {
    await migrateFirstVersion(await connection.openTable(firstTableName), table);
    await connection.dropTable(firstTableName);
  } catch (error) {
    if ((await connection.tableNames()).includes(firstTableName)) throw error; // else another process did it
  }
}
