import { setTimeout as sleep } from 'node:timers/promises';
import { isServerAwayCode } from './server-away-code.ts';

/** A crashed server is back within seconds, one that fails over within minutes. */
const longestOutageMs = 5 * 60 * 1000;
const pauseMs = 500;

/** Repeats idempotent work until the server is available; throws other errors, and gives up on an outage after 5 minutes. */
export async function outlastOutage<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const end = Date.now() + longestOutageMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isServerAway(error) || Date.now() > end || signal.aborted) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/** True for a connection error (by the code of the system, the driver or SQL), false for an error in the request itself. */
function isServerAway(error: unknown): boolean {
  for (let one = error; one instanceof Object; one = (one as { cause?: unknown }).cause) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string') return isServerAwayCode(code);
  }
  return false;
}
