import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientError, isUnreachable } from '../errors.ts';

/**
 * Milliseconds between polls: soon enough for a person watching, at the cost of one small query. Postgres could notify instead, but its driver does
 * not recover if the server is killed while it listens.
 */
const lookPause = 250;
/** Milliseconds between retries while a server is unreachable. */
const retryPause = 500;

/** An unreachable server. */
export type Trouble = ClientError;

export interface WatchOptions {
  signal?: AbortSignal | undefined;
  /** Called once when a server becomes unreachable, and with undefined when it is back. */
  onTrouble?: ((trouble: Trouble | undefined) => void) | undefined;
}

/** Polls until `look` returns something, waiting for unreachable servers; returns undefined when the signal aborts. */
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
      if (!isUnreachable(error)) throw error;
      setTrouble(error);
      await pause(retryPause, signal);
    }
  }
  return undefined;
}

/** Returns early, without throwing, when the signal aborts; the loop checks it next. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);
}
