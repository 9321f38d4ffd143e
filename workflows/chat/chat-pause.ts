import { CancellationScope, CancelledFailure, condition, isCancellation, setHandler } from '@temporalio/workflow';
import type { PauseRequest } from '../../domain/project/messages.ts';
import type { PauseGate } from '../agent/pause-gate.ts';
import { pauseSignal, resumeSignal } from '../project/messages.ts';
import { wasCancelled } from '../was-cancelled.ts';

/** Holds up a chat's steps while it is paused. */
export interface ChatPause extends Pick<PauseGate, 'paused' | 'step' | 'resumes' | 'hold'> {
  /** Ends the pause from within. */
  release(): void;
}

/**
 * Handles the signals `pause` and `resume` of a chat: while it is paused nothing new starts, and what is in flight finishes and is kept; with `now`
 * it is stopped, and repeated after the resume. Unlike in `createPauseGate`, a step belongs to its answer and is stopped with it. `onChange` is
 * called after each signal, with null for a resume.
 */
export function createChatPause(options: { paused: boolean; onChange(request: PauseRequest | null): void }): ChatPause {
  let { paused } = options;
  let resumes = 0;
  /** The scopes of the steps in flight. */
  const scopes = new Set<CancellationScope>();

  function release(): void {
    paused = false;
    resumes += 1;
    options.onChange(null);
  }
  setHandler(pauseSignal, (request) => {
    paused = true;
    options.onChange(request ?? {});
    if (request?.now) for (const scope of scopes) scope.cancel();
  });
  setHandler(resumeSignal, release);

  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    const answer = CancellationScope.current();
    for (;;) {
      if (paused) await condition(() => !paused);
      const scope = new CancellationScope();
      scopes.add(scope);
      try {
        return await scope.run(work);
      } catch (error) {
        if (!wasCancelled(error, scope)) throw error;
        if (answer.consideredCancelled || !scope.consideredCancelled)
          throw isCancellation(error) ? error : new CancelledFailure('It was stopped.');
        // otherwise a pause stopped it, and it is repeated
      } finally {
        scopes.delete(scope);
      }
    }
  }

  return {
    get paused() {
      return paused;
    },
    step,
    get resumes() {
      return resumes;
    },
    hold() {
      paused = true;
    },
    release,
  };
}
