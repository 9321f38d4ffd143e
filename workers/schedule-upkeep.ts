import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

/** Between two compactions where few memories are written; many single writes call for one at once (`tendSoon`). */
const interval = '10 minutes';

/** Makes the schedule that tends the memories, unless it is there; a person may pause or change it. */
export async function scheduleUpkeep(client: Client, taskQueue: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: scheduleIdOf(taskQueue),
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

/** Has the memories tended now, unless somebody is at it. */
export async function tendSoon(client: Client, taskQueue: string): Promise<void> {
  await client.schedule.getHandle(scheduleIdOf(taskQueue)).trigger(ScheduleOverlapPolicy.SKIP);
}

function scheduleIdOf(taskQueue: string): string {
  return `longhaul-memory-${taskQueue}`;
}
