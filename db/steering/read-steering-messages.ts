import { and, asc, eq, lte, ne, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { runs, steeringMessages } from '../schema/runs.ts';
import { sessions } from '../schema/work.ts';

/** What a person said in a run, up to and including the message of this number, in order. */
export async function readSteeringMessages(query: Queryable, runId: string, upToMessage: number): Promise<string[]> {
  const rows = await query
    .select({ text: steeringMessages.text })
    .from(steeringMessages)
    .where(and(eq(steeringMessages.runId, runId), lte(steeringMessages.messageNumber, upToMessage)))
    .orderBy(asc(steeringMessages.messageNumber));
  return rows.map(({ text }) => text);
}

/** What a person said in the other runs on a feature, in order. */
export async function readSteeringMessagesOnFeature(
  query: Queryable,
  { featureId, runId }: { featureId: string; runId: string },
): Promise<string[]> {
  const rows = await query
    .select({ text: steeringMessages.text })
    .from(steeringMessages)
    .innerJoin(runs, eq(runs.id, steeringMessages.runId))
    .innerJoin(sessions, eq(sessions.id, runs.sessionId))
    .where(and(eq(sessions.featureId, featureId), ne(runs.id, runId)))
    .orderBy(asc(steeringMessages.deliveredAt), asc(steeringMessages.messageNumber));
  return rows.map(({ text }) => text);
}

/** For queries on `runs`: whether a message is pending for the run. One for a run that has ended goes to the next run. */
export const hasPendingSteeringMessage = sql<boolean>`exists (
  select 1 from ${steeringMessages} waiting left join ${runs} addressee on addressee.id = waiting.for_run_id
  where waiting.project_id = ${runs.projectId} and waiting.delivered_at is null
    and (waiting.for_run_id is null or waiting.for_run_id = ${runs.id} or addressee.status <> 'RUNNING'))`;
