import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

/** Time between compactions when few memories are written; many single writes trigger one at once (`maintainSoon`). */
const interval = '10 minutes';

/** Creates the schedule for memory maintenance if it does not exist; a person may pause or edit it. */
export async function scheduleMaintenance(client: Client, taskQueue: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: scheduleIdOf(taskQueue),
      spec: { intervals: [{ every: interval }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'maintainMemoryWorkflow',
        workflowId: `memory-maintenance-${taskQueue}`,
        taskQueue,
        workflowExecutionTimeout: '2 hours',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

/** Runs memory maintenance now, unless it is already running. */
export async function maintainSoon(client: Client, taskQueue: string): Promise<void> {
  await client.schedule.getHandle(scheduleIdOf(taskQueue)).trigger(ScheduleOverlapPolicy.SKIP);
}

function scheduleIdOf(taskQueue: string): string {
  return `longhaul-memory-${taskQueue}`;
}
