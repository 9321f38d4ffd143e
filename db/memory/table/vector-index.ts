import { Index, type Table } from '@lancedb/lancedb';
import { dimensionsOf } from './dimensions-of.ts';

/** Below it every vector is looked at, which is exact and takes a few milliseconds. */
export const fewestForVectorIndex = 20_000;

/** Vectors up to this size are kept whole in the index, and in memory once they were looked at; more are kept in a bit a dimension. */
const mostBytesWhole = 512 * 2 ** 20;

/** An index is trained anew once the table is so many times larger than it was made for. */
const mostGrowth = 4;

/**
 * Partitions that a search looks into: 68% of those of 20,000 vectors, 30% of those of 100,000. With 64, made vectors came to 95% of what
 * looking at every vector finds, with luck, and sentences behind the filter of one project to less; each 40 more cost about 2.5 ms at 100,000.
 */
export const partitionsSearched = 96;

/** With a bit a dimension: candidates for each that is wanted, which are measured again with their whole vectors. */
export const refineFactor = 4;

const namePrefix = 'vector_of_';

/** Makes the vector index that the table has grown into in the place of the one that it has; false where that one will do. */
export async function growVectorIndex(table: Table): Promise<boolean> {
  const rows = await table.countRows('vector is not null');
  if (rows < fewestForVectorIndex) return false;
  const names = (await vectorIndexes(table)).map(({ name }) => name);
  const [fitting] = names.filter((name) => isFor(name, rows)).sort((one, other) => rowsOf(other) - rowsOf(one));
  // Searches use the old one until the new one is there; whoever made that may have been killed before it had dropped the old.
  if (fitting === undefined) {
    const config = vectorIndex(rows, await dimensionsOf(table));
    await table.createIndex('vector', { config, name: `${namePrefix}${rows}` });
  }
  for (const name of names) if (name !== fitting) await table.dropIndex(name);
  return fitting === undefined;
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
  return name.startsWith(namePrefix) && rows < mostGrowth * rowsOf(name);
}

/** How many vectors an index was made for. */
function rowsOf(name: string): number {
  return Number(name.slice(namePrefix.length));
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
