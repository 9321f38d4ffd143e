import { and, eq, max } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { usage } from '../schema/usage.ts';

/** The last turn of a run that has an answer; 0 if none has. */
export async function readLastTurn(query: Queryable, runId: string): Promise<number> {
  const [row] = await query
    .select({ turn: max(usage.turn) })
    .from(usage)
    .where(and(eq(usage.runId, runId), eq(usage.outcome, 'ANSWERED')));
  return row?.turn ?? 0;
}
