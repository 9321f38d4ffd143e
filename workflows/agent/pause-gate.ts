import { CancellationScope, CancelledFailure, condition, isCancellation, setHandler } from '@temporalio/workflow';
import type { PauseRequest } from '../../domain/project/messages.ts';
import { wasCancelled } from '../failures.ts';
import { pauseSignal, resumeSignal } from '../project/requests/messages.ts';

/** Holds up the steps of a workflow while it is paused. */
export interface PauseGate {
  readonly paused: boolean;
  /** Waits while paused. */
  pass(): Promise<void>;
  /** Waits while paused, then does the work; work that `pause --now` stopped is repeated after the resume. */
  step<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The number of resumes so far. */
  readonly resumes: number;
  /** Pauses from within, until a resume. */
  hold(): void;
  /** Ends a pause from within. */
  release(): void;
  /** Calls back on each pause, and with null on each resume, until the returned function is called. */
  onChange(listener: (request: PauseRequest | null) => void): () => void;
}

/**
 * Handles the signals `pause` and `resume`: while a workflow is paused nothing new starts, and what is in flight finishes and is kept; with `now` it
 * is stopped. `whilePaused` surrounds the wait, e.g. to stop and start a container.
 */
export function createPauseGate(options: {
  paused?: boolean;
  whilePaused?: { begin(): Promise<void>; end(): Promise<void> };
}): PauseGate {
  let paused = options.paused ?? false;
  let resumes = 0;
  /** The scopes of the steps in flight. */
  const scopes = new Set<CancellationScope>();
  const listeners = new Set<(request: PauseRequest | null) => void>();
  let resting: Promise<void> | undefined;

  function notify(request: PauseRequest | null): void {
    for (const listener of listeners) listener(request);
  }

  function release(): void {
    paused = false;
    resumes += 1;
    notify(null);
  }

  setHandler(pauseSignal, (request) => {
    paused = true;
    notify(request ?? {});
    if (request?.now) for (const scope of scopes) scope.cancel();
  });
  setHandler(resumeSignal, release);

  async function rest(): Promise<void> {
    await condition(() => scopes.size === 0 || !paused); // parallel tools all finish first
    if (!paused) return;
    await options.whilePaused?.begin();
    await condition(() => !paused);
    await options.whilePaused?.end();
  }

  /** Parallel steps share one rest. */
  async function pass(): Promise<void> {
    while (paused) {
      resting ??= rest().finally(() => {
        resting = undefined;
      });
      await resting;
    }
  }

  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    const caller = CancellationScope.current();
    for (;;) {
      await pass();
      const scope = new CancellationScope();
      scopes.add(scope);
      try {
        return await scope.run(work);
      } catch (error) {
        if (!wasCancelled(error, scope)) throw error;
        const byPause = scope.consideredCancelled && !caller.consideredCancelled;
        if (!byPause) throw isCancellation(error) ? error : new CancelledFailure('It was stopped.');
      } finally {
        scopes.delete(scope);
      }
    }
  }

  return {
    get paused() {
      return paused;
    },
    get resumes() {
      return resumes;
    },
    pass,
    step,
    hold() {
      paused = true;
    },
    release,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
