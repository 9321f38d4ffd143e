import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MemoryStore, openMemoryStore } from '../../db/memory/memory-store.ts';
import type { Embedder } from '../../domain/memory/embedder.ts';
import { type Measurement, milliseconds, percentile } from '../measurement.ts';
import { createMadeEmbedder, madeMemory, madeText } from './made-memories.ts';

const dimensions = 384;
const batch = 2_000;
const writesOneByOne = 50;
const questions = 100;

/** The goal in milliseconds at 100,000 memories, and how many times slower the largest size may be than the smallest. */
const maxAt100k = 15;
const maxGrowth = 3;

/** Measures search, writes, indexes and resident memory for each number of made-up memories; with `local`, also searches that embed the question. */
export async function measureScale(
  sizes: readonly number[],
  local: Embedder | undefined,
  signal: AbortSignal,
): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'));
  const made = createMadeEmbedder(dimensions);
  let store = await openMemoryStore({ uri: folder, embedder: made });
  const rows: Measurement[] = [];
  const medians = new Map<number, number>();
  let written = 0;
  try {
    for (const size of sizes.toSorted((left, right) => left - right)) {
      console.log(`    ${size} memories`);
      const before = written;
      const writing = await timed(async () => {
        while (written < size) {
          signal.throwIfAborted();
          const count = Math.min(batch, size - written);
          const from = written;
          await store.remember(Array.from({ length: count }, (_, index) => madeMemory(from + index)));
          written += count;
        }
      });
      const indexing = await timed(() => store.optimize());
      const times = await search(store, size, signal);
      medians.set(size, percentile(times, 50));
      const name = size.toLocaleString('en');
      rows.push(
        latency(`memory: search at ${name}, p50, p95`, times, size === 100_000 ? maxAt100k : undefined),
        {
          what: `memory: writing in batches up to ${name}, each`,
          ours: milliseconds(writing / Math.max(1, written - before)),
        },
        { what: `memory: compaction and indexes at ${name}`, ours: `${(indexing / 1_000).toFixed(1)} s` },
      );
      if (local) {
        await store.close();
        store = await openMemoryStore({ uri: folder, embedder: alsoEmbed(made, local) });
        rows.push(latency(`memory: the same with embedding at ${name}`, await search(store, size, signal)));
        await store.close();
        store = await openMemoryStore({ uri: folder, embedder: made });
      }
      rows.push(await measureSingleWrites(store, name), {
        what: `memory: resident at ${name}`,
        ours: `${Math.round(process.memoryUsage().rss / 1e6)} MB`,
      });
    }
    return [...rows, ...growth(medians)];
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function search(store: MemoryStore, size: number, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < questions + 10; round += 1) {
    signal.throwIfAborted();
    const { text, projectId = '', lineageId = '' } = madeMemory(Math.floor((round / questions) * (size - 1)) % size);
    const query = text.split(' ').slice(0, 6).join(' ');
    const ranges = [{ lineageId, upToSequence: Number.MAX_SAFE_INTEGER }];
    const scope = { project: { id: projectId, ranges } };
    const time = await timed(() => store.search({ query, scope }));
    if (round >= 10) times.push(time); // the first ones read the index from disk
  }
  return times;
}

async function measureSingleWrites(store: MemoryStore, name: string): Promise<Measurement> {
  const times: number[] = [];
  for (let index = 0; index < writesOneByOne; index += 1) {
    const memory = { ...madeMemory(index), id: `single-${index}`, text: `${madeText(index)} once more` };
    times.push(await timed(() => store.remember([memory])));
  }
  await store.optimize();
  return { what: `memory: one write at ${name}, p50`, ours: milliseconds(percentile(times, 50)) };
}

function latency(what: string, times: number[], most?: number): Measurement {
  const middle = percentile(times, 50);
  return {
    what,
    ours: `${milliseconds(middle)}, ${milliseconds(percentile(times, 95))}`,
    ...(most !== undefined && { goal: { text: `p50 under ${most} ms`, reached: middle < most } }),
  };
}

function growth(medians: Map<number, number>): Measurement[] {
  const [least, most] = [Math.min(...medians.keys()), Math.max(...medians.keys())];
  const [fast, slow] = [medians.get(least), medians.get(most)];
  if (fast === undefined || slow === undefined || least === most) return [];
  return [
    {
      what: `memory: p50 at ${most.toLocaleString('en')} against ${least.toLocaleString('en')}`,
      ours: milliseconds(slow),
      bare: milliseconds(fast),
      ratio: slow / fast,
      goal: { text: `at most ${maxGrowth}x`, reached: slow / fast <= maxGrowth },
    },
  ];
}

/** Returns made-up vectors, but only after the local model has embedded the text too. */
function alsoEmbed(made: Embedder, local: Embedder): Embedder {
  return {
    ...made,
    async embed(texts, purpose) {
      await local.embed(texts, purpose);
      return made.embed(texts, purpose);
    },
  };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await act();
  return performance.now() - since;
}
