import { sharedWords } from './similarity.ts';

/** Weight of being unlike those chosen before, against the score (maximal marginal relevance, Carbonell and Goldstein 1998). */
const noveltyWeight = 0.3;

/** Up to `enough` indexes, ordered so that each next one fits well and says something new. */
export function diversify(
  order: readonly number[],
  scores: readonly number[],
  stems: ReadonlyArray<readonly string[]>,
  enough: number,
): number[] {
  const words = new Map(order.map((index) => [index, new Set(stems[index])]));
  const wordsOf = (index: number) => words.get(index) ?? new Set<string>();
  const left = new Set(order);
  const chosen: number[] = [];
  while (left.size && chosen.length < enough) {
    const value = (index: number) =>
      (1 - noveltyWeight) * (scores[index] ?? 0) -
      noveltyWeight * Math.max(0, ...chosen.map((other) => sharedWords(wordsOf(index), wordsOf(other))));
    const best = [...left].reduce((one, other) => (value(other) > value(one) ? other : one));
    left.delete(best);
    chosen.push(best);
  }
  return chosen;
}
