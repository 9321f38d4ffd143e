const first = 1_000;
const longest = 60_000;

/**
 * Milliseconds to wait after so many tries: twice as long each time, up to a minute, since each try adds to a history that must not grow without end.
 */
export function growingPause(tries: number): number {
  return Math.min(first * 2 ** (tries - 1), longest);
}
