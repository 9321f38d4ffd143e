import { and, eq, max, ne } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { verifications } from '../schema/work.ts';

/**
 * When each feature of a project, by id, was last verified, in milliseconds since 1970. Verifications by the session `before` are left out, so that a
 * retry of that session reads the same.
 */
export async function readVerificationTimes(
  query: Queryable,
  { projectId, before }: { projectId: string; before: string },
): Promise<Map<string, number>> {
  const rows = await query
    .select({ featureId: verifications.featureId, at: max(verifications.createdAt) })
    .from(verifications)
    .where(and(eq(verifications.projectId, projectId), ne(verifications.sessionId, before)))
    .groupBy(verifications.featureId);
  return new Map(rows.map(({ featureId, at }) => [featureId, at?.getTime() ?? 0]));
}
