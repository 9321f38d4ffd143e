import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Configuration } from '../config/configuration.ts';
import type { ConsolidationInput } from '../domain/memory/consolidation.ts';

/** A machine that was asleep at the scheduled time catches up within this time. */
const catchupWindow = '1 day';

/**
 * Creates the schedule that consolidates the memories as often as `consolidation` says, or deletes it if that is `off`. An existing schedule, even
 * one that a person paused or edited, is left alone until the setting changes.
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
