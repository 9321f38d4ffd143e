import { setTimeout as sleep } from 'node:timers/promises';
import { findOutage } from './query-errors.ts';

/** A crashed server is back within seconds, one that fails over within minutes. */
const maxOutageMs = 5 * 60 * 1000;
const pauseMs = 500;

/** Repeats idempotent work until the server is available; throws other errors, and gives up on an outage after 5 minutes. */
export async function retryUntilAvailable<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const end = Date.now() + maxOutageMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!findOutage(error) || Date.now() > end || signal.aborted) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
