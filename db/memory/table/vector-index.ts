import { Index, type Table } from '@lancedb/lancedb';
import { dimensionsOf } from './dimensions-of.ts';

/** Below this number every vector is compared, which is exact and takes a few milliseconds. */
export const fewestForVectorIndex = 20_000;

/** Up to this size, the index keeps whole vectors, which stay in memory once they have been read; beyond it, one bit per dimension. */
const mostBytesWhole = 512 * 2 ** 20;

/** An index is retrained once the table is this many times larger than it was when the index was created. */
const mostGrowth = 4;

/**
 * Partitions that a search examines: 68% of those of 20,000 vectors, 30% of those of 100,000. With 64, synthetic vectors reached at best 95% of the
 * recall of comparing every vector, and sentences behind the filter of one project less; each 40 more cost about 2.5 ms at 100,000.
 */
export const partitionsSearched = 96;

/** With one bit per dimension: candidates per wanted result, which are re-measured with their whole vectors. */
export const refineFactor = 4;

const namePrefix = 'vector_of_';

/** Replaces the vector index by the one that the table has grown large enough for; false if the existing one will do. */
export async function growVectorIndex(table: Table): Promise<boolean> {
  const rows = await table.countRows('vector is not null');
  if (rows < fewestForVectorIndex) return false;
  const names = (await vectorIndexes(table)).map(({ name }) => name);
  const [fitting] = names.filter((name) => isFor(name, rows)).sort((one, other) => rowsOf(other) - rowsOf(one));
  // Searches use the old index until the new one is there; a process that was killed may have left both.
  if (fitting === undefined) {
    const config = vectorIndex(rows, await dimensionsOf(table));
    await table.createIndex('vector', { config, name: `${namePrefix}${rows}` });
  }
  for (const name of names) if (name !== fitting) await table.dropIndex(name);
  return fitting === undefined;
}

/** Vectors of another model have other centres: the next compaction trains a new index for them. */
export async function dropVectorIndexes(table: Table): Promise<void> {
  for (const { name } of await vectorIndexes(table)) await table.dropIndex(name);
}

/** Whether the distances from the index are estimates. */
export async function isQuantized(table: Table): Promise<boolean> {
  return (await vectorIndexes(table)).some(({ indexType }) => indexType !== 'IvfFlat');
}

async function vectorIndexes(table: Table) {
  return (await table.listIndices()).filter(({ columns }) => columns.includes('vector'));
}

function isFor(name: string, rows: number): boolean {
  return name.startsWith(namePrefix) && rows < mostGrowth * rowsOf(name);
}

/** How many vectors an index was created for. */
function rowsOf(name: string): number {
  return Number(name.slice(namePrefix.length));
}

/** As many partitions as vectors in each; few iterations on a sample place their centres as well as many do. */
function vectorIndex(rows: number, dimensions: number): Index {
  const options = {
    distanceType: 'cosine' as const,
    numPartitions: Math.round(Math.sqrt(rows)),
    sampleRate: 64,
    maxIterations: 15,
  };
  return rows * dimensions * 4 <= mostBytesWhole ? Index.ivfFlat(options) : Index.ivfRq(options);
}
