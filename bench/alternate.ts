import { median } from './measurement.ts';

/**
 * Median times in milliseconds of tasks run in turn, round after round, so that other load on the machine affects all of them alike. The first round
 * is a warm-up and does not count.
 */
export async function alternate<Name extends string>(
  rounds: number,
  signal: AbortSignal,
  works: Record<Name, (round: number) => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      signal.throwIfAborted();
      const since = performance.now();
      await works[name](round);
      if (round > 0) times.get(name)?.push(performance.now() - since);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}
