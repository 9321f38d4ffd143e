import { readConfiguration } from '../../config/configuration.ts';
import { localModelFolder } from '../../models/embedding/local-model.ts';
import { openEmbedder } from '../../models/embedding/open-embedder.ts';
import type { Measurement } from '../measurement.ts';
import { measureRecall } from './memory-recall.ts';
import { measureScale } from './memory-scale.ts';

export interface MemoryBenchOptions {
  /** A file of conversations with questions; recall is not measured without one. */
  data?: string | undefined;
  /** Numbers of made-up memories, comma-separated. */
  rows?: string | undefined;
}

/** A million takes most of the time; `--rows` can name fewer. */
const defaultSizes = '1000,10000,100000,1000000';

/** What memory search finds, and how fast. */
export async function measureMemory(
  environment: Record<string, string | undefined>,
  { data, rows: sizes = defaultSizes }: MemoryBenchOptions,
  signal: AbortSignal,
): Promise<Measurement[]> {
  const { home, memory, model } = readConfiguration(environment);
  const { embedder, notice } = await openEmbedder(memory.modelFolder ?? localModelFolder(home), model);
  if (notice) console.log(`  ${notice}`);
  const rows: Measurement[] = [];
  if (data) rows.push(...(await measureRecall(data, embedder)));
  else console.log('  recall is not measured: name a file with --data');
  const numbers = sizes.split(',').map(Number);
  if (!numbers.every((size) => Number.isInteger(size) && size > 0)) {
    throw new Error(`Expected --rows to be numbers separated by commas, got "${sizes}".`);
  }
  return [...rows, ...(await measureScale(numbers, embedder, signal))];
}
