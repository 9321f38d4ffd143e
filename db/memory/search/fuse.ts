/** What meaning counts beside words. Words find names, numbers and rare terms, of which questions to a memory are full. */
export const meaningWeight = 0.4;

type Scores = ReadonlyArray<number | undefined>;

/** One score of the two, 0 to 1; only one of them counts where the other is missing for all. */
export function fuse(words: readonly number[], meaning: Scores): number[] {
  const hasMeaning = meaning.some((score) => score !== undefined);
  const hasWords = words.some((score) => score > 0);
  const weight = hasMeaning ? (hasWords ? meaningWeight : 1) : 0;
  const [byWords, byMeaning] = [shareOfBest(words), fromLeastToBest(meaning)];
  return byWords.map((score, index) => (1 - weight) * score + weight * (byMeaning[index] ?? 0));
}

/** No common word is 0. */
function shareOfBest(scores: readonly number[]): number[] {
  const best = Math.max(...scores);
  return scores.map((score) => (best > 0 ? score / best : 0));
}

/** Cosines have no zero of their own, and those of one question lie close together: the least of the candidates is 0. */
function fromLeastToBest(scores: Scores): number[] {
  const known = scores.filter((score) => score !== undefined);
  const [least, best] = [Math.min(...known), Math.max(...known)];
  return scores.map((score) => {
    if (score === undefined) return 0;
    return best > least ? (score - least) / (best - least) : 1;
  });
}
