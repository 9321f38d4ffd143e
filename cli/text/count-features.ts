import type { FeatureStatus } from '../../domain/project/statuses.ts';

const words: Record<FeatureStatus, string> = {
  PASSING: 'passing',
  IN_PROGRESS: 'in progress',
  INTERRUPTED: 'interrupted',
  FAILING: 'failing',
  BLOCKED: 'blocked',
  NOT_STARTED: 'not started',
};

/** Non-zero counts by status, in words: `5 passing, 1 failing`. */
export function describeCounts(counts: Record<FeatureStatus, number>): string {
  return Object.entries(words)
    .filter(([status]) => counts[status as FeatureStatus] > 0)
    .map(([status, word]) => `${counts[status as FeatureStatus]} ${word}`)
    .join(', ');
}
