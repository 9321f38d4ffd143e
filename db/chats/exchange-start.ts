import { and, eq } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { exchanges, messages } from '../schema/runs.ts';

/** When the message that a run is answering was put before its model; undefined if it is answering none. */
export async function findExchangeStart(query: Queryable, runId: string): Promise<Date | undefined> {
  const [row] = await query
    .select({ at: messages.createdAt })
    .from(exchanges)
    .innerJoin(messages, and(eq(messages.runId, exchanges.runId), eq(messages.number, exchanges.messageNumber)))
    .where(and(eq(exchanges.runId, runId), eq(exchanges.status, 'RUNNING')));
  return row?.at;
}
