import { asc, eq } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { sessions } from '../schema/work.ts';

export type SessionRow = typeof sessions.$inferSelect;

export async function findSession(query: Queryable, sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await query.select().from(sessions).where(eq(sessions.id, sessionId));
  return row;
}

/** A session that the caller knows to exist. */
export async function readSession(query: Queryable, sessionId: string): Promise<SessionRow> {
  const session = await findSession(query, sessionId);
  if (!session)
    throw new Error(`Expected a row for the session "${sessionId}", which its project claimed; there is none.`);
  return session;
}

export async function readSessions(query: Queryable, projectId: string): Promise<SessionRow[]> {
  return query.select().from(sessions).where(eq(sessions.projectId, projectId)).orderBy(asc(sessions.number));
}

/** The earlier sessions of a feature, oldest first. */
export async function readAttempts(query: Queryable, featureId: string): Promise<SessionRow[]> {
  return query.select().from(sessions).where(eq(sessions.featureId, featureId)).orderBy(asc(sessions.number));
}

export async function updateSession(
  query: Queryable,
  sessionId: string,
  values: Partial<Pick<SessionRow, 'baseCommit' | 'commit' | 'basis' | 'proposedChecks' | 'requestedChange'>>,
): Promise<void> {
  await query.update(sessions).set(values).where(eq(sessions.id, sessionId));
}
