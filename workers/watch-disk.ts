import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../domain/telemetry/log.ts';
import { isSandboxError } from '../sandbox/errors.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';

/** Milliseconds between looks; the longer pause while the container host can't say what is used, as when it is away. */
const defaultPauses = { usual: 1_000, afterTrouble: 30_000 };

/** Keeps the sandboxes within their share of the disk until the signal aborts. */
export async function watchDisk(
  sandboxes: Pick<Sandboxes, 'enforceQuota'>,
  log: Pick<Log, 'warn'>,
  signal: AbortSignal,
  pauses = defaultPauses,
): Promise<void> {
  while (!signal.aborted) {
    let pause = pauses.usual;
    try {
      for (const stopped of await sandboxes.enforceQuota()) log.warn(stopped);
    } catch (error) {
      pause = pauses.afterTrouble;
      // Whatever needs a sandbox meanwhile says so.
      if (!isSandboxError(error, 'HostUnavailable')) log.warn('Could not measure the disk of sandboxes.', { error });
    }
    await delay(pause, undefined, { signal }).catch(() => {}); // aborted
  }
}
