import type { FeatureStanding } from '../project/feature-rules.ts';

/** Up to this many features that passed earlier are all verified again after each pass; beyond that, the affected ones. */
const allUpTo = 25;

/** Beyond `allUpTo`, this many of the unaffected features as well, those that were verified longest ago. */
const othersBeyond = 5;

/** What has just passed, and what is known about the other features. */
export interface LatestPass<Feature> {
  /** The feature's id. */
  verified: string;
  changedFiles: string[];
  /** The files that the feature's own commit changed. */
  filesOf(feature: Feature): string[];
  /** When it was last verified, as a number that grows; 0 if never. */
  verifiedAt(feature: Feature): number;
}

/**
 * Chooses what to verify again after a feature passed: all features that passed earlier if they are at most 25, or if no other feature is left to do;
 * otherwise the feature's dependencies and dependents, those that changed the same files, and five of the others in turn.
 */
export function selectForVerification<Feature extends FeatureStanding>(
  features: Feature[],
  latest: LatestPass<Feature>,
): Feature[] {
  const earlier = features.filter((feature) => feature.status === 'PASSING' && feature.id !== latest.verified);
  const isLast = earlier.length === features.length - 1;
  if (earlier.length <= allUpTo || isLast) return earlier;
  const related = relatives(features, latest.verified);
  const changed = new Set(latest.changedFiles);
  const isAffected = (feature: Feature) =>
    related.has(feature.id) || latest.filesOf(feature).some((path) => changed.has(path));
  const others = earlier
    .filter((feature) => !isAffected(feature))
    .sort((one, other) => latest.verifiedAt(one) - latest.verifiedAt(other));
  return [...earlier.filter(isAffected), ...others.slice(0, othersBeyond)];
}

/** A feature's direct and indirect dependencies and dependents. */
function relatives(features: FeatureStanding[], id: string): Set<string> {
  const byId = new Map(features.map((feature) => [feature.id, feature]));
  const dependenciesOf = (one: string) => byId.get(one)?.dependencies ?? [];
  const dependentsOf = (one: string) =>
    features.filter((feature) => feature.dependencies.includes(one)).map((feature) => feature.id);
  return new Set([...closure(id, dependenciesOf), ...closure(id, dependentsOf)]);
}

function closure(start: string, next: (id: string) => string[]): Set<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...next(id));
  }
  return seen;
}
