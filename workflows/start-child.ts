import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowCancellationType,
  type ChildWorkflowHandle,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  sleep,
} from '@temporalio/workflow';
import { growingPause } from '../domain/growing-pause.ts';
import type { PauseRequest } from '../domain/project/messages.ts';
import { pauseSignal, resumeSignal } from './project/requests/messages.ts';

/** A child is asked to stop with its parent, and ends before its parent continues. */
export const childOptions = {
  cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
} as const;

export interface ChildHandle<Result> extends Pick<ChildWorkflowHandle<() => Promise<Result>>, 'signal'> {
  result(): Promise<Result>;
}

/** Forwards a pause, or with null a resume, to a child. */
export function forwardPause(child: Pick<ChildWorkflowHandle<never>, 'signal'>, request: PauseRequest | null): void {
  const sent = request ? child.signal(pauseSignal, request) : child.signal(resumeSignal);
  // A child that has just ended has nothing to pause; its outcome arrives by itself.
  sent.catch(() => {});
}

/** Starts a child; if a reset of the parent left one with the same id running, cancels that first and waits for its end. */
export async function startWhenFree<Handle>(start: () => Promise<Handle>): Promise<Handle> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await askToStop(error.workflowId);
      await pauseForLeft(error.workflowId, tries);
    }
  }
}

/** Requests a workflow's cancellation; does nothing if it has ended. */
export async function askToStop(workflowId: string): Promise<void> {
  await getExternalWorkflowHandle(workflowId)
    .cancel()
    .catch(() => {});
}

/** Waits until a workflow that was asked to stop has ended. */
export async function untilStopped(workflowId: string): Promise<void> {
  for (let tries = 1; await takesSignals(workflowId); tries += 1) await pauseForLeft(workflowId, tries);
}

/** The server accepts a repeated cancellation request, but not a signal, if the workflow has ended since the first one. */
function takesSignals(workflowId: string): Promise<boolean> {
  const signalled = getExternalWorkflowHandle(workflowId).signal(pauseSignal, {});
  return signalled.then(
    () => true,
    () => false,
  );
}

async function pauseForLeft(workflowId: string, tries: number): Promise<void> {
  await sleep(growingPause(tries), { summary: `Waiting for ${workflowId} from before the reset to close` });
}
