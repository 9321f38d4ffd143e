import { and, eq, notInArray } from 'drizzle-orm';
import { chooseNextFeature, findRequestedFeature, needsNewAttempts } from '../../domain/project/feature-rules.ts';
import type { Claim } from '../../domain/project/messages.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { Database } from '../connection/database.ts';
import { inProject } from '../project/project-transaction.ts';
import { findSession } from '../project/sessions.ts';
import { withdrawRequests } from '../requests/requests.ts';
import { sessions } from '../schema/work.ts';
import { closeRuns } from '../transcript/close-runs.ts';
import { changeFeature, type FeatureState, readFeatures, settleFeatures } from './features.ts';

export interface ClaimRequest {
  projectId: string;
  sessionId: string;
  number: number;
  /** Name of a feature that a person asked for; else the next in order. */
  feature?: string | undefined;
  /** False to only find out whether anything is left to do. */
  mayStart?: boolean | undefined;
}

/** Assigns the next feature to a session, exclusively; the same session gets the same feature again. */
export async function claimFeature(database: Database, request: ClaimRequest): Promise<Claim> {
  return inProject(database, request.projectId, async (transaction) => {
    const features = await readFeatures(transaction.query, request.projectId);
    const held = await findSession(transaction.query, request.sessionId);
    if (held) return claimOf(features, held);
    const next = request.feature ? findRequestedFeature(features, request.feature) : chooseNextFeature(features);
    if (next.kind === 'blocked') return { kind: 'blocked', reason: describeBlocked(next.features) };
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
    const { projectId } = request;
    await withdrawRequests(transaction.query, { projectId, kind: 'feature', feature: feature.name });
    await transaction.log({
      type: 'session.started',
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
    return { kind: 'refused', reason: `The feature ${session.featureId} is not part of the current lineage.` };
  const { name, category } = feature;
  return { kind: 'feature', feature: name, category, attempt: session.attempt };
}

function describeBlocked(features: FeatureState[]): string {
  const reasons = features
    .filter((feature) => !feature.blockedByDependency)
    .map((feature) => `"${feature.name}" is ${feature.status}: ${feature.reason ?? 'no reason given'}`);
  return cutText(reasons.join(' '), 450);
}

/**
 * Gives new attempts to each feature that has used up its own, which also restores the features that depend on it. Interrupts the sessions that are
 * gone: all but those `running`. What waits in the inbox for these features is withdrawn. Returns how many features got new attempts.
 */
export async function unblockFeatures(database: Database, projectId: string, running: string[] = []): Promise<number> {
  return inProject(database, projectId, async (transaction) => {
    const features = await readFeatures(transaction.query, projectId);
    const spent = features.filter((feature) => needsNewAttempts(feature, transaction.project.settings));
    for (const feature of spent) {
      await changeFeature(transaction, feature, { status: 'FAILING', attempts: 0, reason: 'Resumed by a person.' });
    }
    await withdrawRequests(transaction.query, { projectId, kind: 'feature' });
    const isGone = ({ status, sessionId }: FeatureState) =>
      status === 'IN_PROGRESS' && !(sessionId && running.includes(sessionId));
    for (const feature of features.filter(isGone)) {
      await changeFeature(transaction, feature, { status: 'INTERRUPTED', reason: 'Its session no longer exists.' });
    }
    const gone = await transaction.query
      .update(sessions)
      .set({ status: 'INTERRUPTED', reason: 'It is gone.', endedAt: new Date() })
      .where(and(eq(sessions.projectId, projectId), eq(sessions.status, 'RUNNING'), notInArray(sessions.id, running)))
      .returning({ id: sessions.id });
    const ids = gone.map(({ id }) => id);
    await closeRuns(transaction.query, ids, 'Its session no longer exists.');
    await settleFeatures(transaction);
    return spent.length;
  });
}
