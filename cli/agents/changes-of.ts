import { watch } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after a change in which further ones belong to it: an editor writes a file in several steps. */
const settlePause = 200;

/** Yields once, then after each change in a folder, until the signal aborts. */
export async function* changesOf(folder: string, signal: AbortSignal): AsyncGenerator<void, void> {
  const changes = watch(folder, { recursive: true, signal });
  yield;
  try {
    for await (const { filename } of changes) {
      if (filename?.includes('node_modules')) continue;
      await sleep(settlePause, undefined, { signal });
      yield;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
