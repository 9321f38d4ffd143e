import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { runs } from '../schema/runs.ts';
import { answerOpenCalls } from './answer-open-calls.ts';

/** Ends the runs of sessions that are over, where their own workflow could not; these runs are not resumed. */
export async function closeRuns(query: Queryable, sessionIds: string[], reason: string): Promise<void> {
  await closeWhere(query, inArray(runs.sessionId, sessionIds), reason);
}

/** The same for a project that was abandoned during planning; a resume plans it afresh. */
export async function closePlanning(query: Queryable, projectId: string, reason: string): Promise<void> {
  await closeWhere(query, and(eq(runs.projectId, projectId), isNull(runs.sessionId)), reason);
}

async function closeWhere(query: Queryable, which: SQL | undefined, reason: string): Promise<void> {
  const isOpen = and(which, eq(runs.status, 'RUNNING'));
  for (const { id } of await query.select({ id: runs.id }).from(runs).where(isOpen)) {
    await answerOpenCalls(query, id, reason);
  }
  await query.update(runs).set({ status: 'ENDED', result: reason, endedAt: new Date() }).where(isOpen);
}
