import { diversify } from './diversify.ts';
import { type Candidate, linkNeighbours, type Place } from './find-candidates.ts';
import { foldDuplicates } from './fold-duplicates.ts';
import { addNeighbours, fuse } from './fuse.ts';
import type { Finding } from './memory-query.ts';
import { type BoostSettings, scoreBoost } from './score-boost.ts';
import { scoreWords } from './score-words.ts';

export interface Ranking extends BoostSettings {
  /** Stems of the question; `stems` are those of each candidate. */
  question: readonly string[];
  stems: readonly string[][];
  neighbours: boolean;
  duplicates: boolean;
  diversity: boolean;
  limit: number;
}

/** Cosine that a memory needs when nothing else speaks for it; unrelated texts have about 0. */
const leastSimilarity = 0.1;

/** The candidates that fit best, best first, without duplicates unless they are wanted. */
export function rank(
  candidates: readonly Candidate[],
  ranking: Ranking,
): Array<Finding & { id: string; text: string }> {
  const { question, stems, neighbours, duplicates, diversity, limit } = ranking;
  const places = neighbours ? linkNeighbours(candidates) : candidates.map((): Place => ({}));
  const words = scoreWords(
    question,
    candidates.map((_, index) => ({ stems: stems[index] ?? [], ...places[index] })),
  );
  const fitting = fuse(
    words,
    candidates.map(({ vector }) => vector),
  );
  const beside = addNeighbours(fitting, places);
  const scores = candidates.map(({ memory }, index) => (beside[index] ?? 0) + scoreBoost(memory, ranking));
  const order = candidates
    .map((_, index) => index)
    .filter((index) => isHit(candidates[index]) || isBesideHit(candidates, places[index]))
    .sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0));
  const texts = candidates.map(({ memory }) => memory.text);
  const enough = diversity ? limit * 4 : limit;
  const distinct = duplicates ? order.slice(0, enough) : foldDuplicates(order, texts, enough);
  const chosen = diversity ? diversify(distinct, scores, stems, limit) : distinct;
  return chosen.map((index) => {
    const { memory, text, vector } = candidates[index] as Candidate;
    return {
      id: memory.id,
      text: memory.text,
      score: Math.max(0, scores[index] ?? 0),
      why: vector !== undefined ? (text !== undefined ? 'both' : 'vector') : text !== undefined ? 'text' : 'neighbour',
      ...(vector !== undefined && { similarity: vector }),
    };
  });
}

function isHit(candidate: Candidate | undefined): boolean {
  return candidate?.text !== undefined || (candidate?.vector ?? 0) >= leastSimilarity;
}

function isBesideHit(candidates: readonly Candidate[], { before, after }: Place = {}): boolean {
  return [before, after].some((index) => index !== undefined && isHit(candidates[index]));
}
