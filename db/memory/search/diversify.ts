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
  /** For each index that is left, how much it shares with the chosen one that is most like it. */
  const left = new Map(order.map((index) => [index, 0]));
  const chosen: number[] = [];
  while (left.size && chosen.length < enough) {
    const value = (index: number) =>
      (1 - noveltyWeight) * (scores[index] ?? 0) - noveltyWeight * (left.get(index) ?? 0);
    const best = [...left.keys()].reduce((one, other) => (value(other) > value(one) ? other : one));
    left.delete(best);
    chosen.push(best);
    for (const [index, shared] of left) left.set(index, Math.max(shared, sharedWords(wordsOf(index), wordsOf(best))));
  }
  return chosen;
}

/** The Jaccard index of two sets of words, 0 to 1. */
export function sharedWords(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 && right.size === 0) return 1;
  let common = 0;
  for (const word of left) if (right.has(word)) common += 1;
  return common / (left.size + right.size - common);
}
