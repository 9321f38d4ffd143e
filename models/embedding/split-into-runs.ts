/** Splits texts, given by their tokens, into runs of similar length of at most `maxTokens` tokens, padding included; returns their indexes. */
export function splitIntoRuns(texts: ReadonlyArray<{ length: number }>, maxTokens: number): number[][] {
  const lengthOf = (index: number) => texts[index]?.length ?? 0;
  const byLength = texts.map((_, index) => index).toSorted((left, right) => lengthOf(left) - lengthOf(right));
  const runs: number[][] = [];
  for (const index of byLength) {
    const run = runs.at(-1);
    // The texts are sorted by length: the others would be padded to this one.
    if (run && (run.length + 1) * lengthOf(index) <= maxTokens) run.push(index);
    else runs.push([index]);
  }
  return runs;
}
