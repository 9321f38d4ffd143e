import { Index, type Table } from '@lancedb/lancedb';
import { dimensionsOf } from './dimensions-of.ts';

/** Below it every vector is looked at, which is exact and takes a few milliseconds. */
export const fewestForVectorIndex = 20_000;

/** Vectors up to this size are kept whole in the index, and in memory once they were looked at; more are kept in a bit a dimension. */
const mostBytesWhole = 512 * 2 ** 20;

/** An index is trained anew once the table is so many times larger than it was made for. */
const mostGrowth = 4;

/**
 * Partitions that a search looks into. Of 100,000 vectors it is a fifth of them, which finds 98% of the nearest hundred; to look into all
 * partitions costs four times as much.
 */
export const partitionsSearched = 64;

/** With a bit a dimension: candidates for each that is wanted, which are measured again with their whole vectors. */
export const refineFactor = 4;

const namePrefix = 'vector_of_';

/** Makes the vector index that the table has grown into in the place of the one that it has; false where that one will do. */
export async function growVectorIndex(table: Table): Promise<boolean> {
  const rows = await table.countRows('vector is not null');
  const old = await vectorIndexes(table);
  if (rows < fewestForVectorIndex || old.some(({ name }) => isFor(name, rows))) return false;
  const config = vectorIndex(rows, await dimensionsOf(table));
  // Searches use the old one until the new one is there.
  await table.createIndex('vector', { config, name: `${namePrefix}${rows}` });
  for (const { name } of old) await table.dropIndex(name);
  return true;
}

/** Vectors of another model have other centres: the next compaction trains an index for them. */
export async function dropVectorIndexes(table: Table): Promise<void> {
  for (const { name } of await vectorIndexes(table)) await table.dropIndex(name);
}

/** Whether the distances that the index knows are estimates. */
export async function isQuantized(table: Table): Promise<boolean> {
  return (await vectorIndexes(table)).some(({ indexType }) => indexType !== 'IvfFlat');
}

async function vectorIndexes(table: Table) {
  return (await table.listIndices()).filter(({ columns }) => columns.includes('vector'));
}

function isFor(name: string, rows: number): boolean {
  return name.startsWith(namePrefix) && rows < mostGrowth * Number(name.slice(namePrefix.length));
}

/** Partitions of as many vectors as there are partitions; few iterations on a sample place their centres as well as many do. */
function vectorIndex(rows: number, dimensions: number): Index {
  const options = {
    distanceType: 'cosine' as const,
    numPartitions: Math.round(Math.sqrt(rows)),
    sampleRate: 64,
    maxIterations: 15,
  };
  return rows * dimensions * 4 <= mostBytesWhole ? Index.ivfFlat(options) : Index.ivfRq(options);
}
