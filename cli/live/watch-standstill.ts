import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between looks. */
const defaultPause = 5_000;

export interface StandstillWatch {
  signal: AbortSignal;
  /** Whether something should have happened since the last look, but did not. */
  isQuiet(): boolean;
  /** Says why the project stands still; undefined if it does not. */
  findReason(): Promise<string | undefined>;
  note(text: string): void;
  pause?: number;
}

/** Says once why the project stands still, and once that it continues, until the signal aborts. */
export async function watchStandstill(watch: StandstillWatch): Promise<void> {
  const { signal, isQuiet, findReason, note, pause = defaultPause } = watch;
  let reason: string | undefined;
  for (;;) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const now: string | undefined =
      reason !== undefined || isQuiet() ? await findReason().catch(() => reason) : undefined;
    if (now !== reason) note(now ?? 'The project continues.');
    reason = now;
  }
}
