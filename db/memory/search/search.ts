import type { Table } from '@lancedb/lancedb';
import { columnsOfAdmission, isAdmitted, type StoredMemory } from '../visibility/admitted.ts';
import { toCondition, toLooseCondition, toMatchingConditions } from '../visibility/condition.ts';
import { type Candidate, findCandidates, findNeighbours } from './find-candidates.ts';
import { fitTokens } from './fit-tokens.ts';
import { charactersOfQuestion, type FoundMemory, type MemoryQuery } from './memory-query.ts';
import { rank } from './rank.ts';
import { findTimes } from './time-words.ts';
import type { WordStems } from './word-stems.ts';

export interface SearchDependencies {
  /** A table handle that is moved to the newest version before each search. */
  table: Table;
  stems: WordStems;
  /** The vector of a question; undefined if meaning is not searched. */
  embedQuestion(text: string): Promise<{ model: string; vector: number[] } | undefined>;
  now: Date;
}

/**
 * The memories that fit a question, best first. A question without a meaningful word (empty, common words, emoji) finds none; of a long one, the
 * first 2,000 characters count.
 */
export async function search(deps: SearchDependencies, query: MemoryQuery): Promise<FoundMemory[]> {
  const { table, stems, now } = deps;
  const text = query.query.slice(0, charactersOfQuestion).toWellFormed().trim();
  const limit = query.limit ?? 10;
  if (!text || limit <= 0) return [];

  const admission = {
    loose: toLooseCondition(query),
    matching: toMatchingConditions(query),
    exact: toCondition(query, now),
    columns: columnsOfAdmission(query),
    admits: (memory: StoredMemory) => isAdmitted(memory, query, now),
  };
  await table.checkoutLatest();
  const [question = []] = await stems.of([text]);
  if (!question.length) return [];
  const vector = deps.embedQuestion(text);
  const finding = findCandidates(table, { text, vector, admission, limit });
  const times = findTimes(text, now); // LanceDB searches in its own threads meanwhile
  const found = await finding;
  const considersNeighbours = query.neighbours ?? true;
  const first = considersNeighbours ? found.toSorted((left, right) => promise(right) - promise(left)) : found;
  const stemsOf = (some: Candidate[]) => stems.of(some.map(({ memory }) => memory.text));
  // In parallel with LanceDB here too.
  const [beside, stemsOfFirst] = await Promise.all([
    considersNeighbours ? findNeighbours(table, first, admission) : [],
    stemsOf(first),
  ]);
  const candidates = [...first, ...beside];
  const ranked = rank(candidates, {
    question,
    stems: [...stemsOfFirst, ...(await stemsOf(beside))],
    neighbours: considersNeighbours,
    duplicates: query.duplicates ?? false,
    diversity: query.diversity ?? false,
    recency: query.recency ?? true,
    importance: query.importance ?? true,
    times,
    now,
    limit,
  });
  const chosen = query.tokens === undefined ? ranked : fitTokens(ranked, query.tokens);
  const memories = new Map(candidates.map(({ memory }) => [memory.id, memory]));
  return chosen.flatMap((finding) => {
    const { supersededLineage, supersededSequence, ...memory } = memories.get(finding.id) as StoredMemory;
    return { ...memory, ...finding };
  });
}

/** Ranks whose neighbours are worth looking up: candidates that both searches found come first. BM25 has no upper bound; 20 is a good fit. */
function promise({ text = 0, vector = 0 }: { text?: number | undefined; vector?: number | undefined }): number {
  return text / 20 + vector;
}
