import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

/** Between two compactions: with a write every second a search stays within a few milliseconds of its best. */
const interval = '10 minutes';

/** Makes the schedule that tends the memories, unless it is there; a person may pause or change it. */
export async function scheduleUpkeep(client: Client, taskQueue: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: `longhaul-memory-${taskQueue}`,
      spec: { intervals: [{ every: interval }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'tendMemoryWorkflow',
        workflowId: `memory-upkeep-${taskQueue}`,
        taskQueue,
        workflowExecutionTimeout: '2 hours',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
