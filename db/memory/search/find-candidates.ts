import type { Table } from '@lancedb/lancedb';
import type { Memory } from '../memory.ts';
import { quoteAll } from '../table/quote.ts';
import { placeOf, toMemory } from '../table/rows.ts';
import { columnsWithoutVector } from '../table/schema.ts';

export interface Candidate {
  memory: Memory;
  /** BM25 of the index. */
  text?: number | undefined;
  /** Cosine similarity. */
  vector?: number | undefined;
}

/** Candidates of each way; more make a search slower and hardly better. */
const candidatesOfWay = 100;

/** Candidates whose neighbours are looked up. */
const withNeighbours = 40;

/** With a vector index: vectors looked at for each that is wanted, and candidates measured again with all their bits. */
const searchWidth = 150;
const refineFactor = 2;

/** Memories that the condition admits and that share words with the question or are near to its vector. */
export async function findCandidates(
  table: Table,
  question: { text: string; vector: number[] | undefined; condition: string; vectorCondition: string },
): Promise<Candidate[]> {
  const { text, vector, condition, vectorCondition } = question;
  const byText = table
    .query()
    .fullTextSearch(text, { columns: ['text'] })
    .where(condition)
    .select([...columnsWithoutVector, '_score'])
    .limit(candidatesOfWay)
    .toArray();
  const byVector = vector
    ? table
        .query()
        .nearestTo(vector)
        .distanceType('cosine')
        .where(vectorCondition)
        .ef(searchWidth)
        .refineFactor(refineFactor)
        .select([...columnsWithoutVector, '_distance'])
        .limit(candidatesOfWay)
        .toArray()
    : Promise.resolve([]);
  const [texts, vectors] = await Promise.all([byText, byVector]);
  const candidates = new Map<string, Candidate>();
  for (const row of texts) candidates.set(row.id, { memory: toMemory(row), text: Number(row._score) });
  for (const row of vectors) {
    const similarity = 1 - Number(row._distance);
    const known = candidates.get(row.id);
    if (known) known.vector = similarity;
    else candidates.set(row.id, { memory: toMemory(row), vector: similarity });
  }
  return [...candidates.values()];
}

/** The messages before and after the first of the candidates that are not among them; the condition admits them too. */
export async function findNeighbours(
  table: Table,
  candidates: readonly Candidate[],
  condition: string,
): Promise<Candidate[]> {
  const known = new Set(candidates.map(({ memory }) => placeOfMemory(memory)));
  const missing = new Set<string>();
  for (const { memory } of candidates.slice(0, withNeighbours)) {
    for (const step of [-1, 1]) {
      const place = placeOfMemory(memory, step);
      if (place !== undefined && !known.has(place)) missing.add(place);
    }
  }
  if (!missing.size) return [];
  const rows = await table
    .query()
    .where(`place in ${quoteAll([...missing])} and ${condition}`)
    .select(columnsWithoutVector)
    .toArray();
  return rows.map((row) => ({ memory: toMemory(row) }));
}

/** Indexes of what stands before and after in the conversation. */
export interface Place {
  before?: number | undefined;
  after?: number | undefined;
}

/** Which candidates stand before and after each in its conversation. */
export function linkNeighbours(candidates: readonly Candidate[]): Place[] {
  const indexes = new Map(candidates.map(({ memory }, index) => [placeOfMemory(memory), index]));
  indexes.delete(undefined);
  return candidates.map(({ memory }) => {
    const before = indexes.get(placeOfMemory(memory, -1));
    const after = indexes.get(placeOfMemory(memory, 1));
    return { before, after };
  });
}

function placeOfMemory({ source: { run, message } }: Memory, step = 0): string | undefined {
  return run === undefined || message === undefined ? undefined : placeOf(run, message + step);
}
