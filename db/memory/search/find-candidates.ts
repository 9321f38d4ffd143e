import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import type { Memory } from '../memory.ts';
import { quoteAll } from '../table/quote.ts';
import { placeOf } from '../table/rows.ts';
import { partitionsSearched, refineFactor } from '../table/vector-index.ts';

/** What of a memory decides its rank. */
export type RankedMemory = Pick<Memory, 'id' | 'text' | 'source' | 'importance' | 'createdAt'>;

export interface Candidate {
  memory: RankedMemory;
  /** BM25 of the index. */
  text?: number | undefined;
  /** Cosine similarity. */
  vector?: number | undefined;
}

/** What is read of a candidate; all columns of 200 rows would take longer than finding them. */
const rankedColumns = ['id', 'text', 'source_run', 'source_message', 'importance', 'created_at'];

/** Candidates of each way; more make a search slower and hardly better. */
const candidatesOfWay = 100;

/** Candidates whose neighbours are looked up. */
const withNeighbours = 40;

/** Memories that the condition admits and that share words with the question or are near to its vector. */
export async function findCandidates(
  table: Table,
  question: {
    text: string;
    vector: number[] | undefined;
    condition: string;
    vectorCondition: string;
    /** The vector index gives estimates, to be measured again. */
    quantized: boolean;
  },
): Promise<Candidate[]> {
  const { text, vector, condition, vectorCondition, quantized } = question;
  const byText = table
    .query()
    .fullTextSearch(text, { columns: ['text'] })
    .where(condition)
    .select([...rankedColumns, '_score'])
    .limit(candidatesOfWay)
    .toArrow();
  const [texts, vectors] = await Promise.all([byText, vector && findByVector(vector)]);
  const candidates = new Map<string, Candidate>();
  for (const { memory, value } of readRows(texts, '_score')) candidates.set(memory.id, { memory, text: value });
  for (const { memory, value } of vectors ? readRows(vectors, '_distance') : []) {
    const known = candidates.get(memory.id) ?? { memory };
    candidates.set(memory.id, { ...known, vector: 1 - value });
  }
  return [...candidates.values()];

  function findByVector(near: number[]): Promise<ArrowTable> {
    const query = table
      .query()
      .nearestTo(near)
      .distanceType('cosine')
      .nprobes(partitionsSearched)
      .where(vectorCondition)
      .select([...rankedColumns, '_distance'])
      .limit(candidatesOfWay);
    return (quantized ? query.refineFactor(refineFactor) : query).toArrow();
  }
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
    .select(rankedColumns)
    .toArrow();
  return [...readRows(rows)].map(({ memory }) => ({ memory }));
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

/** Reads by columns, which costs a third of Arrow's row objects. */
function* readRows(table: ArrowTable, valueColumn?: string): Generator<{ memory: RankedMemory; value: number }> {
  const [id, text, run, message, importance, createdAt] = rankedColumns.map((name) => table.getChild(name));
  const value = valueColumn === undefined ? undefined : table.getChild(valueColumn);
  for (let row = 0; row < table.numRows; row += 1) {
    const memory = {
      id: String(id?.get(row)),
      text: String(text?.get(row)),
      source: { run: run?.get(row) ?? undefined, message: message?.get(row) ?? undefined },
      importance: Number(importance?.get(row)),
      createdAt: new Date(Number(createdAt?.get(row))),
    };
    yield { memory, value: Number(value?.get(row)) };
  }
}

function placeOfMemory({ source: { run, message } }: RankedMemory, step = 0): string | undefined {
  return run === undefined || message === undefined ? undefined : placeOf(run, message + step);
}
