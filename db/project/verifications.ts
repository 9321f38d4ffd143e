import { and, asc, desc, eq, like, max, ne, sql } from 'drizzle-orm';
import type { StepResult } from '../../domain/project/settings.ts';
import type { VerificationPurpose } from '../../domain/project/statuses.ts';
import type { Evidence } from '../../domain/verification/evidence.ts';
import type { MutantCounts } from '../../domain/verification/mutants.ts';
import type { Database, Queryable } from '../connection/database.ts';
import type { FeatureState } from '../features/features.ts';
import { features, verifications } from '../schema/work.ts';
import { hashEvidence, hashJson } from './evidence-chain.ts';
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
  feature: Pick<FeatureState, 'id' | 'name' | 'description' | 'verification'>;
  commit: string;
  /** The id of the sandbox's image; null if nothing ran. */
  image: string | null;
  purpose: VerificationPurpose;
  passed: boolean;
  reason: string;
  steps: StepResult[];
  mutants?: MutantCounts | undefined;
}

/** The id of the verification of a session's own feature at one of its commits. */
export function verificationId({ sessionId, landing }: Landing): string {
  return `${sessionId}-v${landing}`;
}

/** Prefix of the ids of the verifications of earlier features at one commit of a session. */
export function regressionPrefix({ sessionId, landing }: Landing): string {
  return `${sessionId}-r${landing}`;
}

/** The id of the run of a feature's verification before a session's work. */
export function baseVerificationId(sessionId: string): string {
  return `${sessionId}-b`;
}

export async function findVerification(query: Queryable, id: string): Promise<VerificationRow | undefined> {
  const [row] = await query.select().from(verifications).where(eq(verifications.id, id));
  return row;
}

/** The verifications of a feature, by its id, oldest first: all, or only those of a purpose or by a session. */
export async function readVerifications(
  query: Queryable,
  featureId: string,
  { purpose, sessionId }: { purpose?: VerificationPurpose; sessionId?: string } = {},
): Promise<VerificationRow[]> {
  const chosen = and(
    eq(verifications.featureId, featureId),
    purpose && eq(verifications.purpose, purpose),
    sessionId === undefined ? undefined : eq(verifications.sessionId, sessionId),
  );
  return query.select().from(verifications).where(chosen).orderBy(asc(verifications.number));
}

/** The commits at which the verifications of a project's features, by id, were first seen to fail. */
export async function readRedCommits(query: Queryable, projectId: string): Promise<Map<string, string>> {
  const rows = await query
    .selectDistinctOn([verifications.featureId], { featureId: verifications.featureId, commit: verifications.commit })
    .from(verifications)
    .where(
      and(
        eq(verifications.projectId, projectId),
        eq(verifications.purpose, 'base'),
        eq(verifications.passed, true),
        sql`jsonb_array_length(${verifications.steps}) > 0`,
      ),
    )
    .orderBy(verifications.featureId, asc(verifications.number));
  return new Map(rows.map(({ featureId, commit }) => [featureId, commit]));
}

/**
 * Records a verification as the next of the project's chain; returns the first with its id, which an attempt that was presumed dead may have recorded
 * meanwhile.
 */
export async function addVerification(database: Database, verification: NewVerification): Promise<VerificationRow> {
  const { feature, mutants = null, ...values } = verification;
  return inProject(database, verification.projectId, async ({ query, log }) => {
    const first = await findVerification(query, verification.id);
    if (first) return first;
    const before = await findLast(query, verification.projectId);
    const checks = hashJson(feature.verification);
    const link = { checks, number: (before?.number ?? 0) + 1, previous: before?.hash ?? null, createdAt: new Date() };
    const unchained = { ...values, ...link, mutants, featureId: feature.id };
    const hash = hashEvidence(toEvidence({ ...unchained, hash: '' }, feature));
    const [row] = await query
      .insert(verifications)
      .values({ ...unchained, hash })
      .returning();
    if (!row) throw new Error(`Postgres returned no row for the verification "${verification.id}".`);
    const { commit, passed, purpose, reason } = row;
    await log({ type: 'verification.completed', feature: feature.name, commit, passed, purpose, reason });
    return row;
  });
}

/** The hash of the project's latest verdict; undefined before the first. */
export async function readEvidenceHead(query: Queryable, projectId: string): Promise<string | undefined> {
  return (await findLast(query, projectId))?.hash;
}

/** All verdicts of a project in order, reverted ones included. */
export async function readEvidenceChain(query: Queryable, projectId: string): Promise<Evidence[]> {
  const rows = await query
    .select({ row: verifications, name: features.name, description: features.description })
    .from(verifications)
    .innerJoin(features, eq(features.id, verifications.featureId))
    .where(eq(verifications.projectId, projectId))
    .orderBy(asc(verifications.number));
  return rows.map(({ row, ...feature }) => toEvidence(row, feature));
}

async function findLast(query: Queryable, projectId: string): Promise<VerificationRow | undefined> {
  const ofProject = eq(verifications.projectId, projectId);
  const [row] = await query.select().from(verifications).where(ofProject).orderBy(desc(verifications.number)).limit(1);
  return row;
}

function toEvidence(row: VerificationRow, feature: Pick<FeatureState, 'name' | 'description'>): Evidence {
  const { number, previous, id, checks, purpose, commit, image, passed, reason, steps, mutants, createdAt, hash } = row;
  const { name, description: requirement } = feature;
  const verdict = { purpose, commit, image, passed, reason, steps, mutants, at: createdAt.toISOString(), hash };
  return { number, previous, id, feature: name, requirement, checks, ...verdict };
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
    .where(
      and(
        eq(verifications.projectId, projectId),
        ne(verifications.sessionId, before),
        ne(verifications.purpose, 'base'),
      ),
    )
    .groupBy(verifications.featureId);
  return new Map(rows.map(({ featureId, at }) => [featureId, at?.getTime() ?? 0]));
}
