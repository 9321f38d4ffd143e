import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { NewMemory } from '../../db/memory/memory.ts';
import { openMemoryStore } from '../../db/memory/memory-store.ts';
import type { Embedder } from '../../domain/memory/embedder.ts';
import { type Measurement, milliseconds, percentile } from '../measurement.ts';

const conversations = z.array(
  z.object({
    conversation: z.string(),
    turns: z.array(z.object({ id: z.string(), text: z.string(), date: z.string() })),
    questions: z.array(z.object({ question: z.string(), category: z.number(), evidence: z.array(z.string()) })),
  }),
);

/** LoCoMo's category numbers. */
const categories: Record<number, string> = { 1: 'several facts', 2: 'time', 3: 'inference', 4: 'one fact' };

const cuts = [1, 5, 10, 20];

/** The targets set by the issue. */
const goals: Record<string, number> = { 'R@5': 64, 'R@10': 74, MRR: 0.51 };

/**
 * How much of the evidence for a LoCoMo file's questions the search finds with its defaults: each turn is a memory of its conversation's session, and
 * all conversations are in one store.
 */
export async function measureRecall(file: string, embedder: Embedder | undefined): Promise<Measurement[]> {
  const data = conversations.parse(JSON.parse(await readFile(file, 'utf8')));
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'));
  const store = await openMemoryStore({ uri: folder, embedder });
  try {
    const memories = data.flatMap(toMemories);
    const since = performance.now();
    for (let from = 0; from < memories.length; from += 256) await store.remember(memories.slice(from, from + 256));
    const writing = performance.now() - since;
    await store.optimize();
    const times: number[] = [];
    const scores = new Map<string, Array<Record<string, number>>>();
    for (const { conversation, turns, questions } of data) {
      const known = new Set(turns.map(({ id }) => id));
      for (const { question, category, evidence } of questions) {
        const wanted = evidence.filter((id) => known.has(id));
        if (!wanted.length) continue;
        const start = performance.now();
        const found = await store.search({
          query: question,
          scope: { sessionId: conversation, reach: 'own' },
          limit: 20,
        });
        times.push(performance.now() - start);
        const ids = found.map(({ source }) => source.id ?? '');
        const score = scoreRecall(ids, wanted, cuts);
        for (const name of ['all', categories[category] ?? `category ${category}`]) {
          scores.set(name, [...(scores.get(name) ?? []), score]);
        }
      }
    }
    return [
      ...[...scores].flatMap(([name, each]) => describe(name, each)),
      {
        what: 'recall: search with embedding, p50 and p95',
        ours: `${milliseconds(percentile(times, 50))}, ${milliseconds(percentile(times, 95))}`,
      },
      {
        what: `recall: writing ${memories.length} turns with embedding, each`,
        ours: milliseconds(writing / memories.length),
      },
    ];
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function toMemories({ conversation, turns }: z.infer<typeof conversations>[number]): NewMemory[] {
  return turns.map(({ id, text, date }, message) => ({
    id: `${conversation}/${id}`,
    text,
    kind: 'turn',
    scope: 'session',
    sessionId: conversation,
    source: { id, run: conversation, message },
    createdAt: parseDate(date),
  }));
}

/** Parses "1:56 pm on 8 May, 2023". */
function parseDate(text: string): Date {
  const [, time, day] = /^(.*) on (.*)$/.exec(text) ?? [];
  const date = new Date(`${day} ${time} UTC`);
  if (Number.isNaN(date.getTime())) throw new Error(`Expected a date like "1:56 pm on 8 May, 2023", got "${text}".`);
  return date;
}

function describe(name: string, scores: Array<Record<string, number>>): Measurement[] {
  return Object.keys(scores[0] ?? {}).map((key) => {
    const mean = scores.reduce((sum, score) => sum + (score[key] ?? 0), 0) / scores.length;
    const value = key === 'MRR' ? mean : mean * 100;
    const goal = name === 'all' ? goals[key] : undefined;
    return {
      what: `recall, ${name} (${scores.length} questions): ${key}`,
      ours: key === 'MRR' ? value.toFixed(3) : value.toFixed(1),
      ...(goal !== undefined && { goal: { text: `at least ${goal}`, reached: value >= goal } }),
    };
  });
}

/** The share of the wanted ids among the first results, for each cut (`R@10`), and the reciprocal rank of the first one (`MRR`). */
export function scoreRecall(
  found: readonly string[],
  wanted: readonly string[],
  cuts: readonly number[],
): Record<string, number> {
  const evidence = new Set(wanted);
  const first = found.findIndex((id) => evidence.has(id));
  return {
    ...Object.fromEntries(
      cuts.map((cut) => [`R@${cut}`, found.slice(0, cut).filter((id) => evidence.has(id)).length / evidence.size]),
    ),
    MRR: first === -1 ? 0 : 1 / (first + 1),
  };
}
