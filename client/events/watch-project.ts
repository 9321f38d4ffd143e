import { eventChannel } from '../../db/project-transaction.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { DatabaseUnreachableError, TemporalUnreachableError } from '../errors.ts';
import { createBell } from './bell.ts';

/** Milliseconds between two looks where no notification comes: one was lost, or the database was restarted. */
const fallBackPoll = 2_000;
/** Milliseconds between two tries while the database is away. */
const retryPause = 500;

/** A server that is away. */
export type Trouble = DatabaseUnreachableError | TemporalUnreachableError;

export interface WatchOptions {
  signal?: AbortSignal | undefined;
  /** Hears once that a server went away, and with undefined that it is back. */
  onTrouble?: ((trouble: Trouble | undefined) => void) | undefined;
}

/**
 * Looks again at a project whenever it told something, and every 2 s, until `look` returns something; undefined when the
 * signal aborted. A database or Temporal server that is away is waited for. `look` reports news that it found, so that
 * notifications that have fallen silent are noticed.
 */
export async function watchProject<Found>(
  access: DatabaseAccess,
  projectId: string,
  look: (onNews: () => void) => Promise<Found | undefined>,
  options: WatchOptions = {},
): Promise<Found | undefined> {
  const { signal, onTrouble } = options;
  const bell = createBell();
  const listen = () =>
    access.listen(eventChannel, (id) => {
      if (id === projectId) bell.ring();
    });
  let stopListening = listen();
  let isTold = true;
  const onNews = () => {
    if (isTold) return;
    stopListening();
    stopListening = listen();
    isTold = true;
  };
  let trouble: Trouble | undefined;
  const setTrouble = (now: Trouble | undefined) => {
    if ((now === undefined) !== (trouble === undefined)) onTrouble?.(now);
    trouble = now;
  };
  try {
    while (!signal?.aborted) {
      try {
        const found = await look(onNews);
        setTrouble(undefined);
        if (found !== undefined) return found;
        isTold = await bell.wait(fallBackPoll, signal);
      } catch (error) {
        if (!isTrouble(error)) throw error;
        setTrouble(error);
        isTold = await bell.wait(retryPause, signal);
      }
    }
    return undefined;
  } finally {
    stopListening();
  }
}

function isTrouble(error: unknown): error is Trouble {
  return error instanceof DatabaseUnreachableError || error instanceof TemporalUnreachableError;
}
