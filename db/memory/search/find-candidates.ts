import type { Table } from '@lancedb/lancedb';
import { isTextIndexEmpty } from '../table/indexes.ts';
import { quoteAll } from '../table/quote.ts';
import { type ReadRow as Found, placeOf, readRows } from '../table/rows.ts';
import { partitionsSearched, refineFactor } from '../vectors/vector-index.ts';
import type { StoredMemory } from '../visibility/admitted.ts';

export interface Candidate {
  memory: StoredMemory;
  /** BM25 score of the full-text index. */
  text?: number | undefined;
  /** Cosine similarity. */
  vector?: number | undefined;
}

/** Which memories a search may return. */
export interface Admission {
  /** A condition that one index answers; admits somewhat more than it should. */
  loose: string;
  /** The conditions besides visibility, all of which have to be met. */
  matching: string[];
  /** A condition that admits no others. */
  exact: string;
  /** Columns that `admits` needs. */
  columns: string[];
  /** Rejects what the loose condition should not have admitted. */
  admits(memory: StoredMemory): boolean;
}

/**
 * Minimum candidates of each kind of search. With 60, and the neighbours of 30, searches took 8% longer, and found 0.2% more of the evidence that the
 * questions of LoCoMo's development set ask for (R@10 75.0 instead of 74.8): less than the difference between two samples of questions.
 */
export const minCandidates = 40;

/** If a smaller share of the best is admitted, the ones behind them have to be searched too. */
const enough = 0.75;

/** Rows read if they come unsorted: more than are written before the first maintenance. */
const maxUnsorted = 100_000;

/** Candidates whose neighbours are looked up. */
const withNeighbours = 20;

interface QuestionVector {
  model: string;
  vector: number[];
}

/** Admitted memories that share words with the question or are near its vector. */
export async function findCandidates(
  table: Table,
  question: {
    text: string;
    vector: Promise<QuestionVector | undefined>;
    admission: Admission;
    /** How many memories are wanted in the end. */
    limit: number;
  },
): Promise<Candidate[]> {
  const { text, vector, admission } = question;
  const columns = readColumns(admission);
  const max = Math.max(minCandidates, question.limit);
  const number = { max, min: Math.max(enough * max, question.limit) };
  // Words are searched while the model still embeds the question.
  const byVector = vector.then(
    (near) => near && findAdmitted(number, admission, (condition) => findByVector(near, condition)),
  );
  const [texts, vectors = []] = await Promise.all([findAdmitted(number, admission, findByText), byVector]);
  const candidates = new Map<string, Candidate>();
  for (const { memory, value } of texts) candidates.set(memory.id, { memory, text: value });
  for (const { memory, value } of vectors) {
    const known = candidates.get(memory.id) ?? { memory };
    candidates.set(memory.id, { ...known, vector: 1 - value });
  }
  return [...candidates.values()];

  async function findByText(condition: string): Promise<Found[]> {
    const ask = async (limit: number) => {
      const query = table.query().fullTextSearch(text, { columns: ['text'] });
      const rows = await query
        .where(condition)
        .select([...columns, '_score'])
        .limit(limit)
        .toArrow();
      return readRows(rows, '_score');
    };
    const found = await ask(max);
    // LanceDB sorts what it finds in the index by relevance, and the rest, before the first maintenance, by time of writing.
    const isCut = found.length === max && (!isSorted(found) || (isLevel(found) && (await isTextIndexEmpty(table))));
    const all = isCut ? await ask(maxUnsorted) : found;
    return all.sort((left, right) => right.value - left.value).slice(0, max);
  }

  async function findByVector({ model, vector: near }: QuestionVector, condition: string): Promise<Found[]> {
    const query = table
      .query()
      .nearestTo(near)
      .distanceType('cosine')
      .nprobes(partitionsSearched)
      .refineFactor(refineFactor)
      .where(condition)
      .select([...columns, 'model', '_distance'])
      .limit(max);
    // While memories are embedded anew, some have a vector of another model, which is not comparable.
    return readRows(await query.toArrow(), '_distance').filter(({ memory }) => memory.model === model);
  }
}

/** Whether all fit equally well, so that those behind them may fit better. */
function isLevel(found: readonly Found[]): boolean {
  return found.every(({ value }) => value === found[0]?.value);
}

function isSorted(found: readonly Found[]): boolean {
  return found.every(({ value }, index) => value <= (found[index - 1]?.value ?? value));
}

/**
 * The best `max` that are admitted, or at least `min` of them. The exact condition takes most of a search's time, so it is used only if the loose one
 * let in many others.
 */
async function findAdmitted(
  { max, min }: { max: number; min: number },
  { loose, exact, admits }: Admission,
  find: (condition: string) => Promise<Found[]>,
): Promise<Found[]> {
  const found = await find(loose);
  const admitted = found.filter(({ memory }) => admits(memory));
  if (found.length < max || admitted.length >= min) return admitted;
  return (await find(exact)).filter(({ memory }) => admits(memory));
}

/** The admitted messages before and after the first candidates that are not candidates themselves. */
export async function findNeighbours(
  table: Table,
  candidates: readonly Candidate[],
  admission: Admission,
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
    // Filtering the few rows of one index by visibility is faster than querying two indexes.
    .where([`place in ${quoteAll([...missing])}`, ...admission.matching].join(' and '))
    .select([...new Set([...readColumns(admission), 'superseded_by'])])
    .toArrow();
  return readRows(rows)
    .map(({ memory }) => ({ memory }))
    .filter(({ memory }) => admission.admits(memory));
}

/** Indexes of the candidates before and after in the conversation. */
export interface Place {
  before?: number | undefined;
  after?: number | undefined;
}

/** For each candidate, which others stand directly before and after it in its conversation. */
export function linkNeighbours(candidates: readonly Candidate[]): Place[] {
  const indexes = new Map(candidates.map(({ memory }, index) => [placeOfMemory(memory), index]));
  indexes.delete(undefined);
  return candidates.map(({ memory }) => {
    const before = indexes.get(placeOfMemory(memory, -1));
    const after = indexes.get(placeOfMemory(memory, 1));
    return { before, after };
  });
}

function placeOfMemory({ source: { run, message } }: StoredMemory, step = 0): string | undefined {
  return run === undefined || message === undefined ? undefined : placeOf(run, message + step);
}

/** Reading a column takes as long as reading some rows, so those that no search needs are left out. */
function readColumns({ columns }: Admission): string[] {
  return ['packed_row', ...columns];
}
