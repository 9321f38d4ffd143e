import { CancellationScope, CancelledFailure, condition, isCancellation, setHandler } from '@temporalio/workflow';
import { type PauseRequest, pauseSignal, resumeSignal } from './messages.ts';
import type { PauseGate } from './pause-gate.ts';
import { wasCancelled } from './was-cancelled.ts';

/** What holds a chat's steps up. */
export interface ChatPause extends Pick<PauseGate, 'paused' | 'step' | 'resumes' | 'hold'> {
  /** Ends the pause from within. */
  release(): void;
}

/**
 * Answers the signals `pause` and `resume` of a chat: nothing new starts while it is paused, what is in flight finishes and is kept;
 * with `now` it is stopped, and done again after the resume. Unlike `createPauseGate`, a step belongs to the answer that it is of and
 * is stopped with it. `onChange` is called after each, with null for a resume.
 */
export function createChatPause(options: { paused: boolean; onChange(request: PauseRequest | null): void }): ChatPause {
  let { paused } = options;
  let resumes = 0;
  /** Of the steps in flight. */
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
        // else a pause stopped it
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
