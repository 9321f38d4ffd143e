import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after a change in which further ones belong to it: an editor writes a file in several steps. */
const settlePause = 200;

/** Yields once, then once after one or more changes in a folder, until the signal aborts; what changes before the next look is one change. */
export async function* changesOf(folder: string, signal: AbortSignal): AsyncGenerator<void, void> {
  let isChanged = false;
  let failure: Error | undefined;
  let wake = () => {};
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (name?.includes('node_modules')) return;
    isChanged = true;
    wake();
  });
  watcher.on('error', (error) => {
    failure = error;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    yield;
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isChanged || failure || signal.aborted) resolve();
      });
      if (failure) throw failure;
      await sleep(settlePause, undefined, { signal }).catch(() => {}); // aborted meanwhile
      if (signal.aborted) return;
      isChanged = false;
      yield;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    watcher.close();
  }
}
