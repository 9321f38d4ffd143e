/** Weight of meaning against words. Words find names, numbers and rare terms, which questions to a memory are full of. */
export const meaningWeight = 0.4;

type Scores = ReadonlyArray<number | undefined>;

/** Combines both into one score, 0 to 1; if one of them is missing for all, only the other counts. */
export function fuse(words: readonly number[], meaning: Scores): number[] {
  const hasMeaning = meaning.some((score) => score !== undefined);
  const hasWords = words.some((score) => score > 0);
  const weight = hasMeaning ? (hasWords ? meaningWeight : 1) : 0;
  const [byWords, byMeaning] = [shareOfBest(words), fromLeastToBest(meaning)];
  return byWords.map((score, index) => (1 - weight) * score + weight * (byMeaning[index] ?? 0));
}

/** Relative to the best; no common word is 0. */
function shareOfBest(scores: readonly number[]): number[] {
  const best = Math.max(...scores);
  return scores.map((score) => (best > 0 ? score / best : 0));
}

/** Relative to the range of the candidates: cosines have no natural zero, and those of one question lie close together. */
function fromLeastToBest(scores: Scores): number[] {
  const known = scores.filter((score) => score !== undefined);
  const [least, best] = [Math.min(...known), Math.max(...known)];
  return scores.map((score) => {
    if (score === undefined) return 0;
    return best > least ? (score - least) / (best - least) : 1;
  });
}

/** The share that a memory gains of the better of its two neighbours in the conversation: an answer often stands beside what was asked for. */
const neighbourWeight = 0.3;

/** The scores, increased for the messages before and after; `before` and `after` are indexes into the scores. */
export function addNeighbours(
  scores: readonly number[],
  places: ReadonlyArray<{ before?: number | undefined; after?: number | undefined }>,
): number[] {
  const scoreAt = (index: number | undefined) => (index === undefined ? 0 : (scores[index] ?? 0));
  return scores.map((score, index) => {
    const { before, after } = places[index] ?? {};
    return score + neighbourWeight * Math.max(scoreAt(before), scoreAt(after));
  });
}
