import { and, asc, eq, lte, ne } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { interjections, runs } from '../schema/runs.ts';
import { sessions } from '../schema/work.ts';

/** What a person said in a run, up to and including the message of this number, in order. */
export async function readInterjections(query: Queryable, runId: string, upToMessage: number): Promise<string[]> {
  const rows = await query
    .select({ text: interjections.text })
    .from(interjections)
    .where(and(eq(interjections.runId, runId), lte(interjections.messageNumber, upToMessage)))
    .orderBy(asc(interjections.messageNumber));
  return rows.map(({ text }) => text);
}

/** What a person said in the other runs on a feature, in order. */
export async function readInterjectionsOnFeature(
  query: Queryable,
  { featureId, runId }: { featureId: string; runId: string },
): Promise<string[]> {
  const rows = await query
    .select({ text: interjections.text })
    .from(interjections)
    .innerJoin(runs, eq(runs.id, interjections.runId))
    .innerJoin(sessions, eq(sessions.id, runs.sessionId))
    .where(and(eq(sessions.featureId, featureId), ne(runs.id, runId)))
    .orderBy(asc(interjections.deliveredAt), asc(interjections.messageNumber));
  return rows.map(({ text }) => text);
}
