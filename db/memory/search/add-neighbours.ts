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
