import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between looks at the stack. */
const usualPause = 5_000;

export interface WorkerWatch {
  signal: AbortSignal;
  /** Whether something should have happened since the last look, but did not. */
  isQuiet(): boolean;
  isWorkerGone(): Promise<boolean>;
  note(text: string): void;
  pause?: number;
}

/** Says once that no worker runs, and once that one is back, until the signal aborts. */
export async function watchWorker({
  signal,
  isQuiet,
  isWorkerGone,
  note,
  pause = usualPause,
}: WorkerWatch): Promise<void> {
  let gone = false;
  for (;;) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    // While events come there is a worker.
    const now: boolean = (gone || isQuiet()) && (await isWorkerGone().catch(() => gone));
    if (now !== gone)
      note(
        now
          ? 'No worker runs, so nothing goes on: `longhaul ps` shows the stack, `longhaul up -d` starts it.'
          : 'The worker runs again.',
      );
    gone = now;
  }
}
