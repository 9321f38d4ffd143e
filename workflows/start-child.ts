import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowCancellationType,
  type ChildWorkflowHandle,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  sleep,
} from '@temporalio/workflow';
import { growingPause } from './growing-pause.ts';
import { type PauseRequest, pauseSignal, resumeSignal } from './messages.ts';

/** A child is asked to stop with its parent, and has ended before its parent goes on. */
export const childOptions = {
  cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
} as const;

export interface ChildHandle<Result> extends Pick<ChildWorkflowHandle<() => Promise<Result>>, 'signal'> {
  result(): Promise<Result>;
}

/** Hands a pause, or with null a resume, on to a child. */
export function forwardPause(child: Pick<ChildWorkflowHandle<never>, 'signal'>, request: PauseRequest | null): void {
  const sent = request ? child.signal(pauseSignal, request) : child.signal(resumeSignal);
  // A child that has just ended has nothing left to pause; its outcome arrives by itself.
  sent.catch(() => {});
}

/**
 * Starts a child; after a reset, one that the earlier history started may still be closing: it is asked to, and the start is tried
 * again.
 */
export async function startWhenFree<Handle>(start: () => Promise<Handle>): Promise<Handle> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await getExternalWorkflowHandle(error.workflowId)
        .cancel()
        .catch(() => {}); // it may have closed just now
      // Replays take a timer whatever its duration, so that histories of other pauses stay good.
      await sleep(growingPause(tries), { summary: `Waiting for ${error.workflowId} of before the reset to close` });
    }
  }
}
