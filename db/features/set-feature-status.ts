import { featureTransitions } from '../../domain/project/feature-rules.ts';
import type { FeatureStatus } from '../../domain/project/statuses.ts';
import { DatabaseError, unknownFeature } from '../database-error.ts';
import type { ProjectTransaction } from '../project/project-transaction.ts';
import { changeFeature, readFeatures, settleFeatures } from './features.ts';

/** What somebody may say of a feature. That it passes is only said by a verification, and that it is worked on by a session. */
export type SaidStatus = Exclude<FeatureStatus, 'PASSING' | 'IN_PROGRESS' | 'INTERRUPTED'>;

/**
 * Sets the status of a feature that no session works on; returns the one before. A feature that was blocked gets new attempts.
 * @throws {DatabaseError} `UnknownFeature`
 * @throws {DatabaseError} `FeatureStatusRefused` while a session works on it or a dependency blocks it, or if `featureTransitions` does not allow it.
 */
export async function setFeatureStatus(
  transaction: ProjectTransaction,
  name: string,
  { status, reason }: { status: SaidStatus; reason: string },
): Promise<FeatureStatus> {
  const all = await readFeatures(transaction.query, transaction.project.id);
  const feature = all.find((one) => one.name === name);
  if (!feature) throw unknownFeature(transaction.project.id, name, all);
  const refuse = (why: string) => new DatabaseError('FeatureStatusRefused', `The feature "${name}" ${why}`);
  if (feature.status === 'IN_PROGRESS')
    throw refuse('is IN_PROGRESS: a session works on it. Pause the project or wait for the session to end.');
  if (feature.blockedByDependency) throw refuse(`is BLOCKED. ${feature.reason} Change that feature instead.`);
  const possible = featureTransitions[feature.status].filter((one) => one === 'FAILING' || one === 'BLOCKED');
  if (!featureTransitions[feature.status].includes(status))
    throw refuse(`is ${feature.status} and can be set to ${possible.join(' or ')}, not to ${status}.`);
  const attempts = feature.status === 'BLOCKED' ? 0 : feature.attempts;
  await changeFeature(transaction, feature, { status, attempts, reason });
  await settleFeatures(transaction);
  return feature.status;
}
