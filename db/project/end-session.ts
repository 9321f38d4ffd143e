import { and, eq, like } from 'drizzle-orm';
import type { SessionStatus } from '../../domain/project/statuses.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { Database } from '../connection/database.ts';
import { sessions, verifications } from '../schema/work.ts';
import { addCheckpoint } from './checkpoints.ts';
import { changeFeature, type FeatureState, readFeatures, settleFeatures } from './features.ts';
import { addProgress } from './progress.ts';
import { inProject, type ProjectTransaction } from './project-transaction.ts';
import { findSession } from './sessions.ts';

export interface SessionEnd {
  projectId: string;
  sessionId: string;
  status: Exclude<SessionStatus, 'RUNNING'>;
  reason: string;
  lesson?: string | undefined;
  commit?: string | undefined;
  filesChanged: string[];
  tokens: number;
  /** Number of the session's commit that passed, from 1; the verifications of earlier features at that commit count. */
  landing?: number | undefined;
  workflowId?: string | undefined;
  workflowRunId?: string | undefined;
}

/**
 * Ends a session in one transaction: its feature's status, its progress entry and, on a pass, its checkpoint. A session that has already ended is
 * left unchanged.
 */
export async function endSession(database: Database, end: SessionEnd): Promise<SessionEnd['status']> {
  return inProject(database, end.projectId, async (transaction) => {
    const session = await findSession(transaction.query, end.sessionId);
    if (!session) return 'INTERRUPTED'; // cancelled before it held a feature
    if (session.status !== 'RUNNING') return session.status;
    await transaction.query
      .update(sessions)
      .set({ status: end.status, reason: end.reason, commit: end.commit ?? null, endedAt: new Date() })
      .where(eq(sessions.id, session.id));
    const features = await readFeatures(transaction.query, end.projectId);
    const feature = features.find((candidate) => candidate.id === session.featureId);
    const name = feature?.name ?? session.featureId;
    // A revert may have begun another lineage meanwhile, whose features this session must not change.
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
    // Last, so that a revert to it includes everything that belongs to the pass.
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
      reason: cutText(end.reason, 500),
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

/** Prefix of the ids of the verifications of earlier features at one commit of a session. */
export function regressionPrefix({ sessionId, landing }: { sessionId: string; landing: number }): string {
  return `${sessionId}-r${landing}`;
}

/**
 * How many times as often as it may be attempted a feature may fail or be broken before a regression blocks it: what worked is to be mended, but
 * features that break each other must not go on for ever.
 */
const patienceWithRegressions = 2;

/** Sets features that passed earlier but do not at this commit to FAILING. */
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
    const most = patienceWithRegressions * transaction.project.settings.maxAttempts;
    const status = attempts >= most ? 'BLOCKED' : 'FAILING';
    const reason = `Commit ${commit.slice(0, 8)} broke it. ${told}`;
    const lesson = `It passed until commit ${commit.slice(0, 8)}; see what that commit changed. ${told}`;
    await changeFeature(transaction, feature, { status, attempts, reason, lesson, sessionId, commit });
  }
  await settleFeatures(transaction);
}
