import { CancellationScope, patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';

/** What cannot be removed now, the next worker to start removes: no work is to wait for that for long, or end for it. */
const startToCloseTimeout = '1 minute';
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' } as const;

/** Two minutes, in which a container host that was started anew is back. */
const { closeSandbox: close } = proxyActivities<Pick<Activities, 'closeSandbox'>>({
  startToCloseTimeout,
  retry: { ...retry, maximumAttempts: 12 },
});

/** Of a chat, whose next message may be there: a quarter of a minute. */
const { releaseChatSandbox: release } = proxyActivities<Pick<Activities, 'releaseChatSandbox'>>({
  startToCloseTimeout,
  retry: { ...retry, maximumAttempts: 5 },
});

/** Removes a sandbox, also after its workflow was cancelled. */
export async function closeSandbox(sandbox: string): Promise<void> {
  try {
    await CancellationScope.nonCancellable(() => close({ sandbox }));
  } catch (error) {
    // In older histories what wanted it removed failed.
    if (!patched('leaves-sandboxes-to-the-sweep')) throw error;
  }
}

/** Removes the container of a chat; with `discard`, what the chat kept goes too. */
export async function releaseChatSandbox(request: { chatId: string; discard?: boolean }): Promise<void> {
  await CancellationScope.nonCancellable(() => release(request)).catch(() => {});
}
