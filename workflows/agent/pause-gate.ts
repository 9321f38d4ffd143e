import {
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
  patched,
  setHandler,
} from '@temporalio/workflow';
import type { PauseRequest } from '../../domain/project/messages.ts';
import { pauseSignal, resumeSignal } from '../project/messages.ts';
import { wasCancelled } from '../was-cancelled.ts';

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
  /** Calls back on each pause, and with null on each resume, until the returned function is called. */
  onChange(listener: (request: PauseRequest | null) => void): () => void;
}

/**
 * Handles the signals `pause` and `resume` of a session or sub-agent: while it is paused nothing new starts, and what is in flight finishes and is
 * kept. `whilePaused` surrounds the wait, e.g. to stop and start a container.
 */
export function createPauseGate(options: {
  paused?: boolean;
  whilePaused?: { begin(): Promise<void>; end(): Promise<void> };
}): PauseGate {
  let paused = options.paused ?? false;
  /** The scope of all steps until a pause stops them; a new one then takes its place. */
  let scope = new StepScope();
  let inFlight = 0;
  let resumes = 0;
  const listeners = new Set<(request: PauseRequest | null) => void>();
  let resting: Promise<void> | undefined;

  setHandler(pauseSignal, (request) => {
    paused = true;
    for (const listener of listeners) listener(request ?? {});
    if (!request?.now) return;
    const stopped = scope;
    scope = new StepScope();
    stopped.cancel();
  });
  setHandler(resumeSignal, () => {
    paused = false;
    resumes += 1;
    for (const listener of listeners) listener(null);
  });

  async function rest(): Promise<void> {
    await condition(() => inFlight === 0); // tools that run side by side all finish first
    await options.whilePaused?.begin();
    await condition(() => !paused);
    await options.whilePaused?.end();
  }

  async function pass(): Promise<void> {
    while (paused) {
      resting ??= rest().finally(() => {
        resting = undefined;
      });
      await resting;
    }
  }

  // Not async: each promise of a step costs a tenth of a millisecond, for the stack trace that Temporal keeps of it.
  function step<Result>(work: () => Promise<Result>): Promise<Result> {
    if (paused) return pass().then(() => step(work));
    const own = scope;
    inFlight += 1;
    return own.run(work).then(
      (result) => {
        inFlight -= 1;
        return result;
      },
      (error: unknown) => {
        inFlight -= 1;
        if (!wasStopped(own, error)) throw error;
        if (own === scope) throw isCancellation(error) ? error : new CancelledFailure('It was stopped.');
        return step(work); // a pause stopped it
      },
    );
  }

  return {
    get paused() {
      return paused;
    },
    pass,
    step,
    get resumes() {
      return resumes;
    },
    hold() {
      paused = true;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A scope without a time limit, whose `run` returns the work's own promise; see `step`. */
class StepScope extends CancellationScope {
  protected override runInContext<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return work();
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

function wasStopped(scope: CancellationScope, error: unknown): boolean {
  if (!wasCancelled(error, scope)) return false;
  // Older histories failed with the timeout of a dead worker.
  return isCancellation(error) || patched('stopped-by-a-dead-worker');
}
