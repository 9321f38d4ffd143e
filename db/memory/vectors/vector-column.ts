import type { Table } from '@lancedb/lancedb';
import type { FixedSizeList } from 'apache-arrow';
import type { MemoryRow } from '../table/rows.ts';
import { mergeRows, unlessAnotherDid, write } from '../table/write.ts';

/** Adds the vector column if the table has none, because a process that was replacing it was killed halfway. */
export async function ensureVectors(table: Table, dimensions: number): Promise<void> {
  if (await dimensionsOf(table)) return;
  const valueSql = `arrow_cast(null, 'FixedSizeList(${dimensions}, Float32)')`;
  await unlessAnotherDid(
    () => write(() => table.addColumns([{ name: 'vector', valueSql }])),
    async () => Boolean(await dimensionsOf(table)),
  );
}

/** Vectors of another length need another column. In between, the table has none, and memories are found and written without vectors. */
export async function replaceVectors(table: Table, dimensions: number): Promise<void> {
  for (let found = await dimensionsOf(table); found !== dimensions; found = await dimensionsOf(table)) {
    await write(() => table.update({ where: 'model is not null', valuesSql: { model: 'null' } }));
    if (found) await write(() => table.dropColumns(['vector']));
    await ensureVectors(table, dimensions); // a process started at this moment may give it the old length again
  }
}

/**
 * Writes rows, dropping vectors that do not have the table's present length, since LanceDB itself pads short ones. Without a vector, a memory is
 * found by its words, and embedded by a reindex.
 */
export async function writeFitting(table: Table, rows: readonly MemoryRow[]): Promise<void> {
  const dimensions = await dimensionsOf(table);
  try {
    await mergeRows(
      table,
      rows.map((row) => fitVector(row, dimensions)),
    );
  } catch (error) {
    if ((await dimensionsOf(table)) === dimensions) throw error;
    await writeFitting(table, rows); // the column was replaced meanwhile
  }
}

function fitVector(row: MemoryRow, dimensions: number): MemoryRow {
  const { vector, ...rest } = row;
  if (!dimensions) return { ...rest, model: null };
  return (vector as number[] | null)?.length === dimensions ? row : { ...rest, model: null, vector: null };
}

/** How many dimensions the table's vectors have. */
export async function dimensionsOf(table: Table): Promise<number> {
  const field = (await table.schema()).fields.find(({ name }) => name === 'vector');
  return (field?.type as FixedSizeList | undefined)?.listSize ?? 0;
}
