import { setTimeout as delay } from 'node:timers/promises';
import { isSandboxError } from '../sandbox/errors.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';

const pauseMs = 1_000;
/** While the container host can't say what is used, as when it is away. */
const pauseAfterTroubleMs = 30_000;

/** Keeps the sandboxes within their share of the disk until the signal aborts. */
export async function watchDisk(sandboxes: Pick<Sandboxes, 'enforceQuota'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let pause = pauseMs;
    try {
      for (const stopped of await sandboxes.enforceQuota()) console.warn(stopped);
    } catch (error) {
      pause = pauseAfterTroubleMs;
      // Whatever needs a sandbox meanwhile says so.
      if (!isSandboxError(error, 'HostUnavailable')) console.warn('Could not measure the disk of sandboxes.', error);
    }
    await delay(pause, undefined, { signal }).catch(() => {}); // aborted
  }
}
