import type { ProjectSettings } from './settings.ts';
import type { FeatureStatus } from './statuses.ts';

/** What the rules need to know of a feature. */
export interface FeatureStanding {
  id: string;
  name: string;
  position: number;
  priority: number;
  status: FeatureStatus;
  /** Attempts that ended without a pass. */
  attempts: number;
  blockedByDependency: boolean;
  /** Ids of features. */
  dependencies: string[];
}

/** Which statuses a feature may change to from each status. */
export const featureTransitions: Record<FeatureStatus, readonly FeatureStatus[]> = {
  NOT_STARTED: ['IN_PROGRESS', 'BLOCKED'],
  IN_PROGRESS: ['PASSING', 'FAILING', 'BLOCKED', 'INTERRUPTED'],
  INTERRUPTED: ['IN_PROGRESS', 'BLOCKED'],
  PASSING: ['FAILING', 'BLOCKED'],
  FAILING: ['IN_PROGRESS', 'BLOCKED', 'FAILING'],
  BLOCKED: ['IN_PROGRESS', 'NOT_STARTED', 'FAILING', 'INTERRUPTED'],
};

export type NextFeature<Feature> =
  | { kind: 'feature'; feature: Feature }
  | { kind: 'all-passing' }
  /** All features that could be worked on are in progress. */
  | { kind: 'busy' }
  /** The features left are BLOCKED, or wait for one that is. */
  | { kind: 'blocked'; features: Feature[] };

/**
 * Interrupted features first, then unstarted ones by priority (10 first), then failing ones with the fewest attempts; only those whose dependencies
 * pass.
 */
export function chooseNextFeature<Feature extends FeatureStanding>(features: Feature[]): NextFeature<Feature> {
  const left = features.filter((feature) => feature.status !== 'PASSING');
  if (left.length === 0) return { kind: 'all-passing' };
  const passing = new Set(features.filter((feature) => feature.status === 'PASSING').map((feature) => feature.id));
  const ready = left
    .filter((feature) => feature.dependencies.every((dependency) => passing.has(dependency)))
    .filter((feature) => feature.status in turnOfStatus)
    .sort(inOrderOfWork);
  if (ready[0]) return { kind: 'feature', feature: ready[0] };
  if (left.some((feature) => feature.status === 'IN_PROGRESS')) return { kind: 'busy' };
  return { kind: 'blocked', features: left };
}

const turnOfStatus: Partial<Record<FeatureStatus, number>> = { INTERRUPTED: 0, NOT_STARTED: 1, FAILING: 2 };

function inOrderOfWork(one: FeatureStanding, other: FeatureStanding): number {
  const byStatus = (turnOfStatus[one.status] ?? 9) - (turnOfStatus[other.status] ?? 9);
  if (byStatus !== 0) return byStatus;
  const byAttempts = one.attempts - other.attempts;
  const byPriority = other.priority - one.priority;
  const byPosition = one.position - other.position;
  return one.status === 'FAILING' ? byAttempts || byPriority || byPosition : byPriority || byPosition;
}

/** The requested feature, or why it cannot be worked on now. */
export function findRequestedFeature<Feature extends FeatureStanding>(
  features: Feature[],
  name: string,
): { kind: 'feature'; feature: Feature } | { kind: 'refused'; reason: string } {
  const refused = (reason: string) => ({ kind: 'refused', reason }) as const;
  const feature = features.find((candidate) => candidate.name === name);
  if (!feature)
    return refused(`There is no feature "${name}". There are: ${features.map((one) => one.name).join(', ')}.`);
  if (feature.status === 'PASSING' || feature.status === 'IN_PROGRESS')
    return refused(`The feature "${name}" is ${feature.status}.`);
  const missing = features.filter((one) => feature.dependencies.includes(one.id) && one.status !== 'PASSING');
  if (missing.length)
    return refused(`"${name}" depends on ${missing.map((one) => `"${one.name}" (${one.status})`).join(', ')}.`);
  return { kind: 'feature', feature };
}

type Attempts = Pick<ProjectSettings, 'maxAttempts'>;

/** A feature whose attempt did not pass: BLOCKED after its last one. */
export function afterFailedAttempt({ attempts: earlier }: FeatureStanding, reason: string, { maxAttempts }: Attempts) {
  const attempts = earlier + 1;
  if (attempts < maxAttempts) return { status: 'FAILING', attempts, reason } as const;
  return { status: 'BLOCKED', attempts, reason: `${attempts} attempts did not pass; the last: ${reason}` } as const;
}

/**
 * How many times as often as it may be attempted a feature may fail or be broken before a regression blocks it: what worked is to be repaired, but
 * features that break each other must not go on for ever.
 */
const regressionFactor = 2;

/** A feature that passed until the work on another one broke it. */
export function afterRegression({ attempts: earlier }: FeatureStanding, { maxAttempts }: Attempts) {
  const attempts = earlier + 1;
  return { status: attempts >= regressionFactor * maxAttempts ? 'BLOCKED' : 'FAILING', attempts } as const;
}

/** Whether a resume gives a feature new attempts: it has used them up, by itself or by regressions. */
export function needsNewAttempts(
  { status, blockedByDependency, attempts }: FeatureStanding,
  { maxAttempts }: Attempts,
): boolean {
  return (status === 'BLOCKED' && !blockedByDependency) || (status === 'FAILING' && attempts >= maxAttempts);
}

/** A change of status caused by a dependency. */
export interface DependencyChange {
  id: string;
  status: FeatureStatus;
  blockedByDependency: boolean;
  reason?: string;
}

/** Which features become BLOCKED because a dependency is, and which are restored because none is any more. */
export function settleDependencies(features: FeatureStanding[]): DependencyChange[] {
  const blockers = findBlockers(features);
  return features.flatMap((feature): DependencyChange[] => {
    const blocker = blockers.get(feature.id);
    const mayBlock = feature.status !== 'PASSING' && feature.status !== 'IN_PROGRESS' && feature.status !== 'BLOCKED';
    if (blocker && mayBlock) {
      const reason = `It depends on "${blocker}", which is BLOCKED.`;
      return [{ id: feature.id, status: 'BLOCKED', blockedByDependency: true, reason }];
    }
    if (!blocker && feature.status === 'BLOCKED' && feature.blockedByDependency) {
      return [{ id: feature.id, status: feature.attempts > 0 ? 'FAILING' : 'NOT_STARTED', blockedByDependency: false }];
    }
    return [];
  });
}

/** The name of the nearest BLOCKED feature, for each feature that depends on one. Visits each dependency once. */
function findBlockers(features: FeatureStanding[]): Map<string, string> {
  const dependents = new Map<string, FeatureStanding[]>(features.map(({ id }) => [id, []]));
  for (const feature of features) for (const id of feature.dependencies) dependents.get(id)?.push(feature);
  const blockers = new Map<string, string>();
  const reached = features.filter(isBlockedItself).map((feature) => ({ feature, blocker: feature.name }));
  // Breadth-first: the array grows while it is iterated, so the nearest blocker comes first.
  for (const { feature, blocker } of reached) {
    for (const dependent of dependents.get(feature.id) ?? []) {
      if (blockers.has(dependent.id)) continue;
      blockers.set(dependent.id, blocker);
      if (dependent.status !== 'PASSING' && !isBlockedItself(dependent)) reached.push({ feature: dependent, blocker });
    }
  }
  return blockers;
}

/** Whether it used up its own attempts; one that is blocked by a dependency is restored together with it. */
function isBlockedItself({ status, blockedByDependency }: FeatureStanding): boolean {
  return status === 'BLOCKED' && !blockedByDependency;
}
