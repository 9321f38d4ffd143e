import { setTimeout as sleep } from 'node:timers/promises';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';

/** Milliseconds between two looks: soon enough for a person who has just answered, and a small load while thousands of calls wait for days. */
const firstPause = 200;
const longestPause = 2_000;

/**
 * Looks again and again until there is something, also while Postgres is unavailable.
 * @throws the signal's reason when it aborts.
 */
export async function untilFound<Found>(signal: AbortSignal, look: () => Promise<Found | undefined>): Promise<Found> {
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 1.5)) {
    signal.throwIfAborted();
    const found = await retryUntilAvailable(signal, look);
    if (found !== undefined) return found;
    await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
