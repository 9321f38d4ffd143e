import type { Connection, Table } from '@lancedb/lancedb';
import { Index } from '@lancedb/lancedb';
import { createTextIndex } from './indexes.ts';
import { migrateFirstVersion } from './migrate.ts';
import { derivedColumns, memorySchema, schemaVersion, versionKey } from './schema.ts';
import { write } from './write.ts';

/** The first version had the name `memories`; its rows are taken over and it is dropped. */
const tableName = 'memories_v2';
const firstTableName = 'memories';

/** A million rows take seconds. */
const longestMigrationMs = 10 * 60_000;

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
  await addDerivedColumns(table);
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

/** Version 2 had the name of this one, but not these columns; they are written beside the others, which stay as they are. */
async function addDerivedColumns(table: Table): Promise<void> {
  const has = async () => (await table.schema()).fields.some(({ name }) => name in derivedColumns);
  if (await has()) return fillDerivedColumns(table);
  const columns = Object.entries(derivedColumns).map(([name, valueSql]) => ({ name, valueSql }));
  try {
    await write(() => table.addColumns(columns), longestMigrationMs);
  } catch (error) {
    if (!(await has())) throw error; // else another process did it
  }
}

/** Fills them in for rows of an older Longhaul that still runs; a search does not find these until then. */
export async function fillDerivedColumns(table: Table): Promise<void> {
  const where = 'readers is null'; // both are written at once
  if (!(await table.countRows(where))) return;
  await write(() => table.update({ where, valuesSql: derivedColumns }), longestMigrationMs);
}

async function takeOver(connection: Connection, table: Table): Promise<void> {
  try {
    await migrateFirstVersion(await connection.openTable(firstTableName), table);
    await connection.dropTable(firstTableName);
  } catch (error) {
    if ((await connection.tableNames()).includes(firstTableName)) throw error; // else another process did it
  }
}
