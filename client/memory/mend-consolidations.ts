import type { Client } from '@temporalio/client';
import { type ConsolidationRow, endAbandoned } from '../../db/consolidation/consolidations.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { TemporalUnreachableError } from '../errors.ts';

/**
 * Ends the consolidations that are said to run although their workflow was terminated or timed out, which leaves a workflow no time
 * to say so itself. Returns how many.
 */
export async function mendConsolidations(
  database: DatabaseAccess,
  temporal: TemporalAccess,
  running: readonly ConsolidationRow[],
): Promise<number> {
  let mended = 0;
  try {
    for (const { id, workflowId, workflowRunId } of running) {
      const ended = await temporal.use((client) => howItEnded(client, workflowId, workflowRunId));
      if (ended === undefined) continue;
      const remark = `Its workflow ${ended}. What it merged stays, and the next one goes on from there.`;
      await database.use((query) => endAbandoned(query, id, remark));
      mended += 1;
    }
  } catch (error) {
    if (!(error instanceof TemporalUnreachableError)) throw error; // whether they run cannot be known
  }
  return mended;
}

/** Undefined while it runs; it may have gone on in other runs, which know the first of them. */
async function howItEnded(client: Client, workflowId: string, firstRun: string): Promise<string | undefined> {
  const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
  try {
    const { status, raw } = await client.workflow.getHandle(workflowId).describe();
    if (raw.workflowExecutionInfo?.firstRunId !== firstRun) return 'was ended, and another one followed';
    if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW') return undefined;
    return status.name === 'TIMED_OUT' ? 'ran out of time' : `was ${status.name.toLowerCase()}`;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'is no longer known to Temporal';
    throw error;
  }
}
