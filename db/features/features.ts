import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { type FeatureStanding, featureTransitions, settleDependencies } from '../../domain/project/feature-rules.ts';
import type { FeatureVerification, ProposedFeature } from '../../domain/project/settings.ts';
import type { Category, FeatureStatus } from '../../domain/project/statuses.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError, unknownFeature } from '../database-error.ts';
import { hashJson } from '../project/evidence-chain.ts';
import { inPresentLineage } from '../project/lineage.ts';
import type { ProjectTransaction } from '../project/project-transaction.ts';
import { changedChecks, featureChanges, featureDependencies, features } from '../schema/work.ts';

/** A feature as the present lineage sees it. */
export interface FeatureState extends FeatureStanding {
  description: string;
  category: Category;
  verification: FeatureVerification;
  reason: string | null;
  lesson: string | null;
  /** The session that made the latest change. */
  sessionId: string | null;
  commit: string | null;
}

/** All features of a project in the order they were given. */
export async function readFeatures(query: Queryable, projectId: string): Promise<FeatureState[]> {
  const rows = await query
    .select()
    .from(features)
    .where(and(eq(features.projectId, projectId), inPresentLineage(features)))
    .orderBy(asc(features.position));
  const changes = await query
    .selectDistinctOn([featureChanges.featureId])
    .from(featureChanges)
    .where(and(eq(featureChanges.projectId, projectId), inPresentLineage(featureChanges)))
    .orderBy(featureChanges.featureId, desc(featureChanges.sequence));
  const replaced = await query
    .selectDistinctOn([changedChecks.featureId])
    .from(changedChecks)
    .where(and(eq(changedChecks.projectId, projectId), inPresentLineage(changedChecks)))
    .orderBy(changedChecks.featureId, desc(changedChecks.sequence));
  const ids = rows.map((row) => row.id);
  const edges = ids.length
    ? await query.select().from(featureDependencies).where(inArray(featureDependencies.featureId, ids))
    : [];
  const latest = new Map(changes.map((change) => [change.featureId, change]));
  const checks = new Map(replaced.map(({ featureId, verification }) => [featureId, verification]));
  return rows.map((row) => {
    const change = latest.get(row.id);
    return {
      id: row.id,
      name: row.name,
      position: row.position,
      description: row.description,
      category: row.category,
      priority: row.priority,
      verification: checks.get(row.id) ?? row.verification,
      dependencies: edges.filter((edge) => edge.featureId === row.id).map((edge) => edge.dependsOnId),
      status: change?.status ?? 'NOT_STARTED',
      attempts: change?.attempts ?? 0,
      blockedByDependency: change?.blockedByDependency ?? false,
      reason: change?.reason ?? null,
      lesson: change?.lesson ?? null,
      sessionId: change?.sessionId ?? null,
      commit: change?.commit ?? null,
    };
  });
}

/** The feature that a session works on, among those of its project. */
export function featureOf(features: FeatureState[], session: { featureId: string; projectId: string }): FeatureState {
  const feature = features.find(({ id }) => id === session.featureId);
  if (feature) return feature;
  throw new Error(`Expected the feature ${session.featureId} among those of ${session.projectId}.`);
}

/** Every change of one feature in the present lineage, oldest first. */
export async function readFeatureChanges(query: Queryable, featureId: string) {
  return query
    .select()
    .from(featureChanges)
    .where(and(eq(featureChanges.featureId, featureId), inPresentLineage(featureChanges)))
    .orderBy(asc(featureChanges.sequence));
}

/**
 * Adds features to a project that has so many, already validated: names are unique and dependencies exist; a dependency that is named twice counts
 * once.
 */
export async function addFeatures(
  transaction: ProjectTransaction,
  proposed: ProposedFeature[],
  present = 0,
): Promise<void> {
  const idOf = (name: string) => `${transaction.project.id}/${name}`;
  for (const [index, feature] of proposed.entries()) {
    await transaction.query.insert(features).values({
      id: idOf(feature.name),
      projectId: transaction.project.id,
      name: feature.name,
      position: present + index,
      description: feature.description,
      category: feature.category,
      priority: feature.priority,
      verification: feature.verification,
      ...(await transaction.nextInLineage()),
    });
  }
  const edges = proposed.flatMap((feature) =>
    feature.dependencies.map((name) => ({ featureId: idOf(feature.name), dependsOnId: idOf(name) })),
  );
  if (edges.length) await transaction.query.insert(featureDependencies).values(edges).onConflictDoNothing();
}

export interface FeatureChange {
  status: FeatureStatus;
  attempts?: number;
  blockedByDependency?: boolean;
  reason?: string | undefined;
  lesson?: string | undefined;
  sessionId?: string | undefined;
  commit?: string | undefined;
}

/**
 * Adds one change of a feature's status.
 * @throws {DatabaseError} `FeatureTransition` if `featureTransitions` does not allow it.
 */
export async function changeFeature(
  transaction: ProjectTransaction,
  feature: FeatureStanding,
  change: FeatureChange,
): Promise<void> {
  if (!featureTransitions[feature.status].includes(change.status)) {
    throw new DatabaseError(
      'FeatureTransition',
      `The feature "${feature.name}" is ${feature.status} and can become ${featureTransitions[feature.status].join(', ')}, not ${change.status}.`,
    );
  }
  const attempts = change.attempts ?? feature.attempts;
  await transaction.query.insert(featureChanges).values({
    projectId: transaction.project.id,
    ...(await transaction.nextInLineage()),
    featureId: feature.id,
    fromStatus: feature.status,
    status: change.status,
    attempts,
    blockedByDependency: change.blockedByDependency ?? false,
    reason: change.reason ?? null,
    lesson: change.lesson ?? null,
    sessionId: change.sessionId ?? null,
    commit: change.commit ?? null,
  });
  await transaction.log({
    type: 'feature.changed',
    feature: feature.name,
    from: feature.status,
    status: change.status,
    attempts,
    reason: change.reason,
  });
}

/**
 * Replaces a feature's verification; it has to fail before the work again. A session can replace that of its own feature; a repetition has no effect.
 * @throws {DatabaseError} `UnknownFeature`
 * @throws {DatabaseError} `ChecksInUse` while the feature is worked on, or if it passes by its present verification.
 */
export async function changeChecks(
  transaction: ProjectTransaction,
  name: string,
  verification: FeatureVerification,
  { by }: { by?: string } = {},
): Promise<void> {
  const all = await readFeatures(transaction.query, transaction.project.id);
  const feature = all.find((one) => one.name === name);
  if (!feature) throw unknownFeature(transaction.project.id, name, all);
  const isOwn = feature.status === 'IN_PROGRESS' && feature.sessionId === by;
  if (isOwn && hashJson(feature.verification) === hashJson(verification)) return;
  if (!isOwn && (feature.status === 'IN_PROGRESS' || feature.status === 'PASSING')) {
    const next = feature.status === 'PASSING' ? 'Revert to a checkpoint before it' : 'Pause the project or wait';
    throw new DatabaseError(
      'ChecksInUse',
      `The feature "${name}" is ${feature.status}, so its checks cannot be changed. ${next}.`,
    );
  }
  const place = await transaction.nextInLineage();
  const row = { projectId: transaction.project.id, featureId: feature.id, verification, ...place };
  await transaction.query.insert(changedChecks).values(row);
  await transaction.log({ type: 'checks.changed', feature: name });
}

/** Blocks features that depend on a BLOCKED one, and restores those that no longer do; call it after each change. */
export async function settleFeatures(transaction: ProjectTransaction): Promise<void> {
  const states = await readFeatures(transaction.query, transaction.project.id);
  for (const change of settleDependencies(states)) {
    const feature = states.find((state) => state.id === change.id);
    if (feature) await changeFeature(transaction, feature, change);
  }
}
