import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnreachableError, TemporalUnreachableError } from '../errors.ts';

/**
 * Milliseconds between two looks: soon enough for a person who watches, and one small query. Postgres could notify, but its driver
 * does not get over a server that was killed while it listens.
 */
const lookPause = 250;
/** Milliseconds between two tries while a server is away. */
const retryPause = 500;

/** A server that is away. */
export type Trouble = DatabaseUnreachableError | TemporalUnreachableError;

export interface WatchOptions {
  signal?: AbortSignal | undefined;
  /** Hears once that a server went away, and with undefined that it is back. */
  onTrouble?: ((trouble: Trouble | undefined) => void) | undefined;
}

/** Polls until `look` returns something; waits for servers that are away. Undefined when the signal aborted. */
export async function poll<Found>(
  look: () => Promise<Found | undefined>,
  { signal, onTrouble }: WatchOptions = {},
): Promise<Found | undefined> {
  let trouble: Trouble | undefined;
  const setTrouble = (now: Trouble | undefined) => {
    if ((now === undefined) !== (trouble === undefined)) onTrouble?.(now);
    trouble = now;
  };
  while (!signal?.aborted) {
    try {
      const found = await look();
      setTrouble(undefined);
      if (found !== undefined) return found;
      await pause(lookPause, signal);
    } catch (error) {
      if (!isTrouble(error)) throw error;
      setTrouble(error);
      await pause(retryPause, signal);
    }
  }
  return undefined;
}

/** Ends early, and quietly, when the signal aborts: the loop looks at it next. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);
}

function isTrouble(error: unknown): error is Trouble {
  return error instanceof DatabaseUnreachableError || error instanceof TemporalUnreachableError;
}
