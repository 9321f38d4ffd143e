import { and, asc, eq, like } from 'drizzle-orm';
import { addCheckpoint } from './checkpoints.ts';
import type { Database, Queryable } from './database.ts';
import { chooseNextFeature } from './feature-rules.ts';
import { changeFeature, type FeatureState, readFeatures, settleFeatures } from './features.ts';
import { addProgress } from './progress.ts';
import { inProject, type ProjectTransaction } from './project-transaction.ts';
import { sessions, verifications } from './schema.ts';
import type { Category, SessionStatus } from './statuses.ts';

export type SessionRow = typeof sessions.$inferSelect;

export interface ClaimRequest {
  projectId: string;
  sessionId: string;
  number: number;
  /** A feature by name, where a person asked for it; else the next in order. */
  feature?: string | undefined;
  /** False where only what is left to do is to be known. */
  mayStart?: boolean | undefined;
}

export type Claim =
  | { kind: 'feature'; featureId: string; feature: string; category: Category; attempt: number }
  | { kind: 'all-passing' }
  /** There is a next feature, and no session may be started. */
  | { kind: 'not-started' }
  | { kind: 'busy' }
  | { kind: 'blocked'; reason: string }
  /** A person asked for a feature that cannot be worked on now. */
  | { kind: 'refused'; reason: string };

/** Gives a session the next feature, which no other can then hold; the same session gets the same again. */
export async function claimFeature(database: Database, request: ClaimRequest): Promise<Claim> {
  return inProject(database, request.projectId, async (transaction) => {
    const features = await readFeatures(transaction.query, request.projectId);
    const held = await findSession(transaction.query, request.sessionId);
    if (held) return claimOf(features, held);
    const next = request.feature ? askedFor(features, request.feature) : chooseNextFeature(features);
    if (next.kind === 'blocked') return { kind: 'blocked', reason: tellBlocked(next.features) };
    if (next.kind !== 'feature') return next;
    if (request.mayStart === false) return { kind: 'not-started' };
    const { feature } = next;
    const session: typeof sessions.$inferInsert = {
      id: request.sessionId,
      projectId: request.projectId,
      number: request.number,
      featureId: feature.id,
      attempt: feature.attempts + 1,
      status: 'RUNNING',
      ...(await transaction.nextInLineage()),
    };
    await transaction.query.insert(sessions).values(session);
    await changeFeature(transaction, feature, { status: 'IN_PROGRESS', sessionId: session.id });
    await transaction.tell({
      type: 'session-started',
      session: session.id,
      number: request.number,
      feature: feature.name,
      attempt: session.attempt,
    });
    return claimOf(features, { featureId: feature.id, attempt: session.attempt });
  });
}

function claimOf(features: FeatureState[], session: { featureId: string; attempt: number }): Claim {
  const feature = features.find((candidate) => candidate.id === session.featureId);
  if (!feature)
    return { kind: 'refused', reason: `The feature ${session.featureId} is not part of the present lineage.` };
  const { id: featureId, name, category } = feature;
  return { kind: 'feature', featureId, feature: name, category, attempt: session.attempt };
}

function askedFor(
  features: FeatureState[],
  name: string,
): { kind: 'feature'; feature: FeatureState } | { kind: 'refused'; reason: string } {
  const feature = features.find((candidate) => candidate.name === name);
  if (!feature) {
    return {
      kind: 'refused',
      reason: `No feature is called "${name}". There are: ${features.map((one) => one.name).join(', ')}.`,
    };
  }
  if (feature.status === 'PASSING' || feature.status === 'IN_PROGRESS') {
    return { kind: 'refused', reason: `The feature "${name}" is ${feature.status}.` };
  }
  const waiting = features.filter((one) => feature.dependencies.includes(one.id) && one.status !== 'PASSING');
  if (waiting.length) {
    return {
      kind: 'refused',
      reason: `"${name}" depends on ${waiting.map((one) => `"${one.name}" (${one.status})`).join(', ')}.`,
    };
  }
  return { kind: 'feature', feature };
}

function tellBlocked(features: FeatureState[]): string {
  return features
    .filter((feature) => !feature.blockedByDependency)
    .map((feature) => `"${feature.name}" is ${feature.status}: ${feature.reason ?? 'no reason was recorded'}`)
    .join(' ')
    .slice(0, 450);
}

export async function findSession(query: Queryable, sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await query.select().from(sessions).where(eq(sessions.id, sessionId));
  return row;
}

/** A session that the caller knows to be there. */
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
  return query
    .select()
    .from(sessions)
    .where(and(eq(sessions.featureId, featureId)))
    .orderBy(asc(sessions.number));
}

export async function updateSession(
  query: Queryable,
  sessionId: string,
  values: Partial<Pick<SessionRow, 'baseCommit' | 'commit' | 'basis'>>,
): Promise<void> {
  await query.update(sessions).set(values).where(eq(sessions.id, sessionId));
}

export interface SessionEnd {
  projectId: string;
  sessionId: string;
  status: Exclude<SessionStatus, 'RUNNING'>;
  reason: string;
  lesson?: string | undefined;
  commit?: string | undefined;
  filesChanged: string[];
  tokens: number;
  /** Which commit of the session passed; the verifications of earlier features at it count. */
  landing?: number | undefined;
  workflowId?: string | undefined;
  workflowRunId?: string | undefined;
}

/**
 * Ends a session: its feature's status, its progress entry and, on a pass, its checkpoint, in one transaction.
 * A session that has ended stays as it ended.
 */
export async function endSession(database: Database, end: SessionEnd): Promise<SessionEnd['status']> {
  return inProject(database, end.projectId, async (transaction) => {
    const session = await findSession(transaction.query, end.sessionId);
    if (!session) return 'INTERRUPTED'; // it was cancelled before it held a feature
    if (session.status !== 'RUNNING') return session.status;
    await transaction.query
      .update(sessions)
      .set({ status: end.status, reason: end.reason, commit: end.commit ?? null, endedAt: new Date() })
      .where(eq(sessions.id, session.id));
    const features = await readFeatures(transaction.query, end.projectId);
    const feature = features.find((candidate) => candidate.id === session.featureId);
    const name = feature?.name ?? session.featureId;
    // A revert may have begun another lineage meanwhile; the features of that one are none of this session's business.
    const held = feature?.sessionId === session.id && feature.status === 'IN_PROGRESS' ? feature : undefined;
    if (held) await settleFeature(transaction, held, end);
    if (held && end.status === 'PASSED' && end.commit && end.landing) {
      const { sessionId, commit, landing } = end;
      await recordRegressions(transaction, features, { sessionId, commit, landing });
    }
    await addProgress(transaction, {
      id: session.id,
      sessionId: session.id,
      featureId: session.featureId,
      action: `${name}, attempt ${session.attempt}`,
      outcome: end.status === 'PASSED' ? `Passed. ${end.reason}` : `${sentenceOf[end.status]} ${end.reason}`,
      filesChanged: end.filesChanged,
      commit: end.commit,
      tokens: end.tokens,
    });
    // Last of all, so that a revert to it takes everything that belongs to the pass.
    if (held && end.status === 'PASSED' && end.commit) {
      await addCheckpoint(transaction, {
        number: session.number,
        commit: end.commit,
        title: held.name,
        sessionId: session.id,
        featureId: held.id,
        workflowId: end.workflowId,
        workflowRunId: end.workflowRunId,
      });
    }
    await transaction.tell({
      type: 'session-ended',
      session: session.id,
      number: session.number,
      feature: name,
      status: end.status,
      reason: end.reason.slice(0, 500),
      commit: end.commit,
      tokens: end.tokens,
    });
    return end.status;
  });
}

const sentenceOf = { FAILED: 'Did not pass.', INTERRUPTED: 'Interrupted.' } as const;

async function settleFeature(transaction: ProjectTransaction, feature: FeatureState, end: SessionEnd): Promise<void> {
  const sessionId = end.sessionId;
  if (end.status === 'PASSED') {
    await changeFeature(transaction, feature, { status: 'PASSING', reason: end.reason, sessionId, commit: end.commit });
  } else if (end.status === 'INTERRUPTED') {
    await changeFeature(transaction, feature, { status: 'INTERRUPTED', reason: end.reason, sessionId });
  } else {
    const attempts = feature.attempts + 1;
    const last = attempts >= transaction.project.settings.maxAttempts;
    await changeFeature(transaction, feature, {
      status: last ? 'BLOCKED' : 'FAILING',
      attempts,
      reason: last ? `${attempts} attempts did not pass; the last: ${end.reason}` : end.reason,
      lesson: end.lesson,
      sessionId,
    });
  }
  await settleFeatures(transaction);
}

/**
 * Gives each feature that used up its attempts a fresh set of them; features that depend on those come back too, and so does what
 * a session held that is gone. To be called while no session is at work.
 */
export async function unblockFeatures(database: Database, projectId: string): Promise<number> {
  return inProject(database, projectId, async (transaction) => {
    const features = await readFeatures(transaction.query, projectId);
    const blocked = features.filter((feature) => feature.status === 'BLOCKED' && !feature.blockedByDependency);
    for (const feature of blocked) {
      await changeFeature(transaction, feature, { status: 'FAILING', attempts: 0, reason: 'Resumed by a person.' });
    }
    for (const feature of features.filter((one) => one.status === 'IN_PROGRESS')) {
      await changeFeature(transaction, feature, { status: 'INTERRUPTED', reason: 'Its session is gone.' });
    }
    await transaction.query
      .update(sessions)
      .set({ status: 'INTERRUPTED', reason: 'It is gone.', endedAt: new Date() })
      .where(and(eq(sessions.projectId, projectId), eq(sessions.status, 'RUNNING')));
    await settleFeatures(transaction);
    return blocked.length;
  });
}

/** What the ids of the verifications of earlier features begin with, for one commit of a session. */
export function regressionPrefix({ sessionId, landing }: { sessionId: string; landing: number }): string {
  return `${sessionId}-r${landing}`;
}

/** Makes features that passed before, and do not at this commit, FAILING again; one that keeps breaking is BLOCKED in the end. */
async function recordRegressions(
  transaction: ProjectTransaction,
  features: FeatureState[],
  passed: { sessionId: string; commit: string; landing: number },
): Promise<void> {
  const { sessionId, commit } = passed;
  const failed = await transaction.query
    .select()
    .from(verifications)
    .where(and(like(verifications.id, `${regressionPrefix(passed)}/%`), eq(verifications.passed, false)));
  for (const { featureId, reason: told } of failed) {
    const feature = features.find((one) => one.id === featureId && one.status === 'PASSING');
    if (!feature) continue;
    const attempts = feature.attempts + 1;
    const status = attempts >= transaction.project.settings.maxAttempts ? 'BLOCKED' : 'FAILING';
    const reason = `Commit ${commit.slice(0, 8)} broke it. ${told}`;
    const lesson = `It passed until commit ${commit.slice(0, 8)}; see what that commit changed. ${told}`;
    await changeFeature(transaction, feature, { status, attempts, reason, lesson, sessionId, commit });
  }
  await settleFeatures(transaction);
}
