import type { Client } from '@temporalio/client';
import { type ConsolidationRow, endAbandoned } from '../../db/consolidation/consolidations.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { isUnreachable } from '../errors.ts';

/**
 * Marks consolidations as ended that are stored as running although their workflow was terminated or timed out, which gives a workflow no chance to
 * record its end. Returns how many.
 */
export async function endAbandonedConsolidations(
  database: DatabaseAccess,
  temporal: TemporalAccess,
  running: readonly ConsolidationRow[],
): Promise<number> {
  let count = 0;
  try {
    for (const { id, workflowId, workflowRunId } of running) {
      const ended = await temporal.use((client) => howItEnded(client, workflowId, workflowRunId));
      if (ended === undefined) continue;
      const remark = `Its workflow ${ended}. Its merges stay; the next consolidation continues from there.`;
      await database.use((query) => endAbandoned(query, id, remark));
      count += 1;
    }
  } catch (error) {
    if (!isUnreachable(error)) throw error; // then it is unknown whether they are running
  }
  return count;
}

/** Undefined while it is running; it may have continued in later runs, which record the id of the first. */
async function howItEnded(client: Client, workflowId: string, firstRun: string): Promise<string | undefined> {
  const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
  try {
    const { status, raw } = await client.workflow.getHandle(workflowId).describe();
    if (raw.workflowExecutionInfo?.firstRunId !== firstRun) return 'was ended and replaced by another one';
    if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW') return undefined;
    return status.name === 'TIMED_OUT' ? 'ran out of time' : `was ${status.name.toLowerCase()}`;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'is no longer known to Temporal';
    throw error;
  }
}
