import { readConfiguration } from '../config/configuration.ts';
import { localModelFolder } from '../db/memory/embedding/local-model.ts';
import { openEmbedder } from '../db/memory/embedding/open-embedder.ts';
import type { Measurement } from './measurement.ts';
import { measureRecall } from './memory-recall.ts';

export interface MemoryBenchOptions {
  /** A file of conversations with questions; recall is not measured without one. */
  data?: string | undefined;
}

/** What the memory finds, and how fast. */
export async function measureMemory(
  environment: Record<string, string | undefined>,
  { data }: MemoryBenchOptions,
  _signal: AbortSignal,
): Promise<Measurement[]> {
  const { home, memory, model } = readConfiguration(environment);
  const { embedder, notice } = await openEmbedder(memory.modelFolder ?? localModelFolder(home), model);
  if (notice) console.log(`  ${notice}`);
  const rows: Measurement[] = [];
  if (data) rows.push(...(await measureRecall(data, embedder)));
  else console.log('  recall is not measured: name a file with --data');
  return rows;
}
