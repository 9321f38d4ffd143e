import { CancellationScope, proxyActivities, TemporalFailure } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';

/** What cannot be removed now is removed by the next worker that starts, so no work waits long for it or fails because of it. */
const startToCloseTimeout = '1 minute';
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' } as const;

/** Two minutes: a restarted container host is back by then. */
const { closeSandbox: close } = proxyActivities<Pick<Activities, 'closeSandbox'>>({
  startToCloseTimeout,
  retry: { ...retry, maximumAttempts: 12 },
});

/** A quarter of a minute, since the chat's next message may be waiting. */
const { releaseChatSandbox: release } = proxyActivities<Pick<Activities, 'releaseChatSandbox'>>({
  startToCloseTimeout,
  retry: { ...retry, maximumAttempts: 5 },
});

/** Removes a sandbox, even if its workflow was cancelled. */
export async function closeSandbox(sandbox: string): Promise<void> {
  try {
    await CancellationScope.nonCancellable(() => close({ sandbox }));
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error; // otherwise it is left to the next worker
  }
}

/** Removes the container of a chat; with `discard`, also what the chat kept. */
export async function releaseChatSandbox(request: { chatId: string; discard?: boolean }): Promise<void> {
  await CancellationScope.nonCancellable(() => release(request)).catch(() => {});
}
