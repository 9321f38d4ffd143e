import { CancellationScope, proxyActivities, TemporalFailure } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';

/** The next worker that starts removes what cannot be removed now, so no work waits long for it or fails because of it. */
const startToCloseTimeout = '1 minute';
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' } as const;

/** Two minutes: a restarted container host is back by then. */
const { closeSandbox: close, closeRunSandbox: closeOfRun } = proxyActivities<
  Pick<Activities, 'closeSandbox' | 'closeRunSandbox'>
>({
  startToCloseTimeout,
  retry: { ...retry, maximumAttempts: 12 },
});

/** A quarter of a minute, since the chat's next message may be waiting. */
const { releaseChatSandbox: release } = proxyActivities<Pick<Activities, 'releaseChatSandbox'>>({
  startToCloseTimeout,
  retry: { ...retry, maximumAttempts: 5 },
});

/** Removes a sandbox of a project, even if its workflow was cancelled. */
export function closeSandbox(projectId: string, sandbox: string): Promise<void> {
  return leavingToNextWorker(() => close({ projectId, sandbox }));
}

/** Removes the sandbox of a user's own agent's run. */
export function closeRunSandbox(runId: string): Promise<void> {
  return leavingToNextWorker(() => closeOfRun({ runId }));
}

/** Removes the container of a chat; with `discard`, also what the chat kept. */
export function releaseChatSandbox(request: { chatId: string; discard?: boolean }): Promise<void> {
  return leavingToNextWorker(() => release(request));
}

async function leavingToNextWorker(remove: () => Promise<void>): Promise<void> {
  try {
    await CancellationScope.nonCancellable(remove);
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
  }
}
