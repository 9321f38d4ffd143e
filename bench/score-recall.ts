/** The share of the wanted ids among the first results, for each cut (`R@10`), and the reciprocal rank of the first one (`MRR`). */
export function scoreRecall(
  found: readonly string[],
  wanted: readonly string[],
  cuts: readonly number[],
): Record<string, number> {
  const evidence = new Set(wanted);
  const first = found.findIndex((id) => evidence.has(id));
  return {
    ...Object.fromEntries(
      cuts.map((cut) => [`R@${cut}`, found.slice(0, cut).filter((id) => evidence.has(id)).length / evidence.size]),
    ),
    MRR: first === -1 ? 0 : 1 / (first + 1),
  };
}
