import { eq } from 'drizzle-orm';
import type { RequestSettings } from '../../domain/permissions/request.ts';
import { afterFailedAttempt, afterRegression } from '../../domain/project/feature-rules.ts';
import type { SessionStatus } from '../../domain/project/statuses.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { Database } from '../connection/database.ts';
import { changeFeature, type FeatureState, readFeatures, settleFeatures } from '../features/features.ts';
import { openRequest, readInbox, withdrawRequests } from '../requests/requests.ts';
import { sessions } from '../schema/work.ts';
import { addCheckpoint } from './checkpoints.ts';
import { addProgress } from './progress.ts';
import { inProject, type ProjectTransaction } from './project-transaction.ts';
import { findSession, type SessionRow } from './sessions.ts';
import { readRegressions } from './verifications.ts';

export interface SessionEnd {
  projectId: string;
  sessionId: string;
  status: Exclude<SessionStatus, 'RUNNING'>;
  reason: string;
  lesson?: string | undefined;
  /** The feature waits for a person, as long as this says, and the attempt does not count. */
  needsPerson?: RequestSettings | undefined;
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
    await withdrawRequests(transaction.query, { projectId: end.projectId, sessionId: session.id, kind: 'landing' });
    if (held) await settleFeature(transaction, held, end);
    const isAsked = (await readInbox(transaction.query, end.projectId)).some((one) => one.feature === name);
    if (held && end.needsPerson && !isAsked)
      await askForFeature(transaction, held, session, { reason: end.reason, settings: end.needsPerson });
    if (held && end.status === 'PASSED' && end.commit && end.landing) {
      const { sessionId, commit, landing } = end;
      await recordRegressions(transaction, features, { sessionId, commit, landing });
    }
    await addProgress(transaction, {
      id: session.id,
      sessionId: session.id,
      featureId: session.featureId,
      action: `${name}, attempt ${session.attempt}`,
      outcome: `${sentenceOf[end.status]} ${end.reason}`,
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
    await transaction.log({
      type: 'session.ended',
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

/** Puts a feature that waits for a person into the inbox. */
async function askForFeature(
  transaction: ProjectTransaction,
  { name: feature }: FeatureState,
  { id: sessionId, requestedChange }: SessionRow,
  { reason, settings }: { reason: string; settings: RequestSettings },
): Promise<void> {
  await openRequest(
    transaction,
    {
      key: `${sessionId}/feature`,
      kind: 'feature',
      asked: `Attempt "${feature}" again? ${reason}`,
      items: requestedChange ? [requestedChange.path] : [],
      sessionId,
      feature,
    },
    // With a yes that nobody gave, what cannot be done would be attempted without end.
    { ...settings, defaultAnswer: 'no' },
  );
}

const sentenceOf = { PASSED: 'Passed.', FAILED: 'Did not pass.', INTERRUPTED: 'Interrupted.' } as const;

async function settleFeature(transaction: ProjectTransaction, feature: FeatureState, end: SessionEnd): Promise<void> {
  const { status, reason, sessionId, commit, lesson } = end;
  if (status === 'PASSED') await changeFeature(transaction, feature, { status: 'PASSING', reason, sessionId, commit });
  if (status === 'INTERRUPTED') await changeFeature(transaction, feature, { status: 'INTERRUPTED', reason, sessionId });
  if (status === 'FAILED') {
    const failed = end.needsPerson
      ? ({ status: 'BLOCKED', reason } as const)
      : afterFailedAttempt(feature, reason, transaction.project.settings);
    await changeFeature(transaction, feature, { ...failed, lesson, sessionId });
  }
  await settleFeatures(transaction);
}

/** Sets features that passed earlier but do not at this commit to FAILING. */
async function recordRegressions(
  transaction: ProjectTransaction,
  features: FeatureState[],
  { sessionId, commit, landing }: { sessionId: string; commit: string; landing: number },
): Promise<void> {
  for (const { featureId, reason } of await readRegressions(transaction.query, { sessionId, landing })) {
    const feature = features.find((one) => one.id === featureId && one.status === 'PASSING');
    if (!feature) continue;
    const broken = afterRegression(feature, transaction.project.settings);
    const short = commit.slice(0, 8);
    await changeFeature(transaction, feature, {
      ...broken,
      reason: `Broken by commit ${short}. ${reason}`,
      lesson: `The feature passed until commit ${short}; read what that commit changed. ${reason}`,
      sessionId,
      commit,
    });
  }
  await settleFeatures(transaction);
}
