import { setTimeout as sleep } from 'node:timers/promises';
import { DrizzleQueryError } from 'drizzle-orm';
import { isServerAwayCode } from './query-errors.ts';

/** A crashed server is back within seconds, one that fails over within minutes. */
const longestOutageMs = 5 * 60 * 1000;
const pauseMs = 500;

/** Repeats idempotent work until the server is available; throws other errors, and gives up on an outage after 5 minutes. */
export async function retryUntilAvailable<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const end = Date.now() + longestOutageMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!findOutage(error) || Date.now() > end || signal.aborted) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/**
 * The driver's error if Postgres could not be reached (by the code of the system, the driver or SQL); undefined for an error in the request
 * itself, or of another server.
 */
export function findOutage(error: unknown): (Error & { code: string }) | undefined {
  const own = error instanceof DrizzleQueryError ? error.cause : error;
  const { code } = (own ?? {}) as { code?: unknown };
  return typeof code === 'string' && isServerAwayCode(code) ? (own as Error & { code: string }) : undefined;
}
