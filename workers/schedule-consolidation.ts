import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Configuration } from '../config/configuration.ts';
import type { ConsolidationInput } from '../workflows/consolidate-memory-workflow.ts';

/** A machine that was asleep when it was time makes up for it. */
const catchupWindow = '1 day';

/**
 * Makes the schedule that consolidates the memories as often as the setting says, or removes it where that is `off`. One that is there
 * stays as it is, paused or changed by a person, until the setting changes.
 */
export async function scheduleConsolidation(
  client: Client,
  taskQueue: string,
  { consolidation: every, summaries }: Pick<Configuration['memory'], 'consolidation' | 'summaries'>,
): Promise<void> {
  const scheduleId = `longhaul-consolidation-${taskQueue}`;
  const handle = client.schedule.getHandle(scheduleId);
  if (every === 'off') {
    await handle.delete().catch((error: unknown) => {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    });
    return;
  }
  const input: ConsolidationInput = { onlyNew: true, summaries, every };
  const spec = { intervals: [{ every: every as `${number} day` }] };
  const action = {
    type: 'startWorkflow',
    workflowType: 'consolidateMemoryWorkflow',
    workflowId: `memory-consolidation-${taskQueue}`,
    taskQueue,
    args: [input],
    workflowExecutionTimeout: '12 hours',
  } satisfies ScheduleOptions['action'];
  try {
    const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow } as const;
    await client.schedule.create({ scheduleId, spec, action, policies });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { action: present } = await handle.describe();
    if (present.type === 'startWorkflow' && isSame(present.args?.[0], input)) return;
    await handle.update((previous) => ({ ...previous, spec, action }));
  }
}

function isSame(present: unknown, input: ConsolidationInput): boolean {
  const { every, summaries } = (present ?? {}) as ConsolidationInput;
  return every === input.every && summaries === input.summaries;
}
