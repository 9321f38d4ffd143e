import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';

/** Removing what is gone already is fine, so it may be tried as long as the container host takes to come back. */
const { closeSandbox: close } = proxyActivities<Pick<Activities, 'closeSandbox'>>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

/** Removes a sandbox, also after its workflow was cancelled. */
export async function closeSandbox(sandbox: string): Promise<void> {
  await CancellationScope.nonCancellable(() => close({ sandbox }));
}

/** The same for what nobody waits for: what cannot be removed now, the next worker to start removes. */
const { releaseChatSandbox: release } = proxyActivities<Pick<Activities, 'releaseChatSandbox'>>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds', maximumAttempts: 5 },
});

/** Removes the container of a chat; with `discard`, what the chat kept goes too. */
export async function releaseChatSandbox(request: { chatId: string; discard?: boolean }): Promise<void> {
  await CancellationScope.nonCancellable(() => release(request)).catch(() => {});
}
