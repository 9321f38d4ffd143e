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
