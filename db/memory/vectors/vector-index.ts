import { Index, type IndexConfig, type Table } from '@lancedb/lancedb';
import { dimensionsOf } from './vector-column.ts';

/** Below this number every vector is compared, which is exact and takes a few milliseconds. */
export const minRowsForVectorIndex = 20_000;

/** Up to this size, the index keeps whole vectors, which stay in memory once they have been read; beyond it, a few bits per dimension. */
const maxBytesUnquantized = 512 * 2 ** 20;

/**
 * Of the 40 nearest of 360,000 synthetic vectors, an index of 4 bits found 99.9% with a `refineFactor` of 2, in 5.9 ms and 79 MB; one of 1 bit found
 * 86% with a factor of 4, in 6.6 ms and 24 MB; whole vectors take 13.3 ms and 556 MB.
 */
const bitsPerDimension = 4;

/** An index is retrained once the table is this many times larger than it was when the index was created. */
const maxGrowth = 4;

/**
 * Partitions that a search examines: 68% of those of 20,000 vectors, 30% of those of 100,000. With 64, synthetic vectors reached at best 95% of the
 * recall of comparing every vector, and sentences behind the filter of one project less; each 40 more cost about 2.5 ms at 100,000.
 */
export const partitionsSearched = 96;

/** With a few bits per dimension: candidates per wanted result, which are re-measured with their whole vectors. */
export const refineFactor = 2;

/** The name of an index is one of these and the number of vectors that it was created for. */
const namePrefixes = { whole: 'vector_of_', quantized: `vector_in_${bitsPerDimension}_bits_of_` };

/** Replaces the vector index by the one that the table has grown large enough for; false if the existing one will do. */
export async function growVectorIndex(table: Table): Promise<boolean> {
  const rows = await table.countRows('vector is not null');
  if (rows < minRowsForVectorIndex) return false;
  const indexes = await vectorIndexes(table);
  const [fitting] = indexes.filter((index) => isFor(index, rows)).sort((one, other) => rowsOf(other) - rowsOf(one));
  // Searches use the old index until the new one is there; a process that was killed may have left both.
  if (fitting === undefined) {
    const bytes = rows * (await dimensionsOf(table)) * 4;
    await createVectorIndex(table, rows, { quantized: bytes > maxBytesUnquantized });
  }
  for (const { name } of indexes) if (name !== fitting?.name) await table.dropIndex(name);
  return fitting === undefined;
}

/** Creates an index for that many vectors, with as many partitions as vectors in each. */
export async function createVectorIndex(
  table: Table,
  rows: number,
  { quantized }: { quantized: boolean },
): Promise<void> {
  // Few iterations on a sample place the centres as well as many do.
  const options = {
    distanceType: 'cosine' as const,
    numPartitions: Math.round(Math.sqrt(rows)),
    sampleRate: 64,
    maxIterations: 15,
  };
  await table.createIndex('vector', {
    config: quantized ? Index.ivfRq({ ...options, numBits: bitsPerDimension }) : Index.ivfFlat(options),
    name: `${namePrefixes[quantized ? 'quantized' : 'whole']}${rows}`,
  });
}

/** Vectors of another model have other centres: the next compaction trains a new index for them. */
export async function dropVectorIndexes(table: Table): Promise<void> {
  for (const { name } of await vectorIndexes(table)) await table.dropIndex(name);
}

async function vectorIndexes(table: Table) {
  return (await table.listIndices()).filter(({ columns }) => columns.includes('vector'));
}

function isFor(index: IndexConfig, rows: number): boolean {
  const prefix = index.indexType === 'IvfFlat' ? namePrefixes.whole : namePrefixes.quantized;
  return index.name.startsWith(prefix) && rows < maxGrowth * rowsOf(index);
}

/** How many vectors an index was created for. */
function rowsOf({ name }: IndexConfig): number {
  return Number(name.slice(name.lastIndexOf('_') + 1));
}
