import type { Table } from '@lancedb/lancedb';
import type { StoredMemory } from '../table/admitted.ts';
import { quote, quoteAll } from '../table/quote.ts';
import { type ReadRow as Found, readRows } from '../table/read-rows.ts';
import { placeOf } from '../table/rows.ts';
import { partitionsSearched, refineFactor } from '../table/vector-index.ts';

export interface Candidate {
  memory: StoredMemory;
  /** BM25 of the index. */
  text?: number | undefined;
  /** Cosine similarity. */
  vector?: number | undefined;
}

/** Which memories are looked for. */
export interface Admission {
  /** Answered by one index; admits somewhat more than it should. */
  loose: string;
  /** What it asks beside who may see a memory: conditions that all have to be met. */
  matching: string[];
  /** Admits none but these. */
  exact: string;
  /** Those that `admits` needs. */
  columns: string[];
  /** Sorts out what the loose condition should not have admitted. */
  admits(memory: StoredMemory): boolean;
}

/** Candidates of each way at least; more make a search slower and no better. */
const fewestOfWay = 60;

/** Where less than this share of the best is admitted, those behind them have to be looked at too. */
const enough = 0.75;

/** More than are written before the first upkeep. */
const mostUnsorted = 100_000;

/** Candidates whose neighbours are looked up. */
const withNeighbours = 30;

/** Memories that are admitted and that share words with the question or are near to its vector. */
export async function findCandidates(
  table: Table,
  question: {
    text: string;
    vector: Promise<number[] | undefined>;
    /** The model that vectors have to be of; undefined where all are. */
    onlyModel: string | undefined;
    admission: Admission;
    /** The vector index gives estimates, to be measured again. */
    quantized: boolean;
    /** The text index holds nothing yet: what LanceDB finds beside it comes in the order of writing, not of fitting. */
    unsorted: boolean;
    /** How many are wanted in the end. */
    limit: number;
  },
): Promise<Candidate[]> {
  const { text, vector, onlyModel, admission, quantized } = question;
  const columns = readColumns(admission);
  const most = Math.max(fewestOfWay, question.limit);
  // The words are looked for while the model still reads the question.
  const byVector = vector.then(
    (near) => near && findAdmitted(most, admission, (condition) => findByVector(near, condition)),
  );
  const [texts, vectors = []] = await Promise.all([findAdmitted(most, admission, findByText), byVector]);
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
    const found = await ask(question.unsorted ? mostUnsorted : most);
    // Whoever has all rows written anew empties the index until it is made again, in whatever process.
    const isCut = !question.unsorted && found.length === most && !isSorted(found);
    const all = isCut ? await ask(mostUnsorted) : found;
    return all.sort((left, right) => right.value - left.value).slice(0, most);
  }

  async function findByVector(near: number[], condition: string): Promise<Found[]> {
    const query = table
      .query()
      .nearestTo(near)
      .distanceType('cosine')
      .nprobes(partitionsSearched)
      .where(onlyModel === undefined ? condition : `model = ${quote(onlyModel)} and ${condition}`)
      .select([...columns, '_distance'])
      .limit(most);
    return readRows(await (quantized ? query.refineFactor(refineFactor) : query).toArrow(), '_distance');
  }
}

function isSorted(found: readonly Found[]): boolean {
  return found.every(({ value }, index) => value <= (found[index - 1]?.value ?? value));
}

/** The best that are admitted. The exact condition takes most of a search's time: it is asked only where the loose one let in many others. */
async function findAdmitted(
  most: number,
  { loose, exact, admits }: Admission,
  find: (condition: string) => Promise<Found[]>,
): Promise<Found[]> {
  const found = await find(loose);
  const admitted = found.filter(({ memory }) => admits(memory));
  if (found.length < most || admitted.length >= most * enough) return admitted;
  return (await find(exact)).filter(({ memory }) => admits(memory));
}

/** The messages before and after the first of the candidates that are not among them, where they are admitted too. */
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
    // To ask two indexes takes longer than to look at who may see the few that one gives.
    .where([`place in ${quoteAll([...missing])}`, ...admission.matching].join(' and '))
    .select([...new Set([...readColumns(admission), 'superseded_by'])])
    .toArrow();
  return readRows(rows)
    .map(({ memory }) => ({ memory }))
    .filter(({ memory }) => admission.admits(memory));
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

function placeOfMemory({ source: { run, message } }: StoredMemory, step = 0): string | undefined {
  return run === undefined || message === undefined ? undefined : placeOf(run, message + step);
}

/** Each column takes as long to read as some rows: what nobody who searches asks for is left out. */
function readColumns({ columns }: Admission): string[] {
  return ['packed_row', ...columns];
}
