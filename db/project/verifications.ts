import { and, asc, eq, like, max, ne } from 'drizzle-orm';
import type { StepResult } from '../../domain/project/settings.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { verifications } from '../schema/work.ts';
import { inProject } from './project-transaction.ts';

export type VerificationRow = typeof verifications.$inferSelect;

/** One commit of a session. */
interface Landing {
  sessionId: string;
  landing: number;
}

export interface NewVerification {
  id: string;
  projectId: string;
  sessionId: string;
  feature: { id: string; name: string };
  commit: string;
  purpose: 'session' | 'regression';
  passed: boolean;
  reason: string;
  steps: StepResult[];
}

/** The id of the verification of a session's own feature at one of its commits. */
export function verificationId({ sessionId, landing }: Landing): string {
  return `${sessionId}-v${landing}`;
}

/** Prefix of the ids of the verifications of earlier features at one commit of a session. */
export function regressionPrefix({ sessionId, landing }: Landing): string {
  return `${sessionId}-r${landing}`;
}

export async function findVerification(query: Queryable, id: string): Promise<VerificationRow | undefined> {
  const [row] = await query.select().from(verifications).where(eq(verifications.id, id));
  return row;
}

/** All verifications of a feature, by its id, oldest first. */
export async function readVerifications(query: Queryable, featureId: string): Promise<VerificationRow[]> {
  const ofFeature = eq(verifications.featureId, featureId);
  return query.select().from(verifications).where(ofFeature).orderBy(asc(verifications.createdAt));
}

/** Records a verification; returns the first with its id, which an attempt that was presumed dead may have recorded meanwhile. */
export async function addVerification(database: Database, verification: NewVerification): Promise<VerificationRow> {
  const { feature, purpose, ...values } = verification;
  return inProject(database, verification.projectId, async ({ query, log }) => {
    const [row] = await query
      .insert(verifications)
      .values({ ...values, featureId: feature.id })
      .onConflictDoNothing()
      .returning();
    if (!row) {
      const first = await findVerification(query, verification.id);
      if (!first) throw new Error(`Postgres returned no row for the verification "${verification.id}".`);
      return first;
    }
    const { commit, passed, reason } = row;
    await log({ type: 'verification-completed', feature: feature.name, commit, passed, purpose, reason });
    return row;
  });
}

/** The verifications of earlier features that failed at one commit of a session. */
export async function readRegressions(query: Queryable, landing: Landing): Promise<VerificationRow[]> {
  return query
    .select()
    .from(verifications)
    .where(and(like(verifications.id, `${regressionPrefix(landing)}/%`), eq(verifications.passed, false)));
}

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
