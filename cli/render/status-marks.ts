import type { FeatureStatus, ProjectStatus, SessionStatus } from '../../domain/project/statuses.ts';
import type { Colors } from './style.ts';

type Paint = (colors: Colors) => (text: string) => string;

const featureMarks: Record<FeatureStatus, [mark: string, paint: Paint]> = {
  PASSING: ['✓', ({ green }) => green],
  IN_PROGRESS: ['▶', ({ cyan }) => cyan],
  FAILING: ['✗', ({ red }) => red],
  BLOCKED: ['■', ({ red }) => red],
  INTERRUPTED: ['‖', ({ yellow }) => yellow],
  NOT_STARTED: ['·', ({ dim }) => dim],
};

const statusPaints: Record<ProjectStatus | SessionStatus, Paint> = {
  INITIALIZING: ({ cyan }) => cyan,
  ACTIVE: ({ cyan }) => cyan,
  RUNNING: ({ cyan }) => cyan,
  PAUSED: ({ yellow }) => yellow,
  WAITING: ({ yellow }) => yellow,
  INTERRUPTED: ({ yellow }) => yellow,
  COMPLETED: ({ green }) => green,
  PASSED: ({ green }) => green,
  ABANDONED: ({ dim }) => dim,
  FAILED: ({ red }) => red,
};

/** One character for a feature's status. */
export function featureMark(status: FeatureStatus, colors: Colors): string {
  const [mark, paint] = featureMarks[status];
  return paint(colors)(mark);
}

export function paintFeatureStatus(status: FeatureStatus, colors: Colors, text: string = status): string {
  return featureMarks[status][1](colors)(text);
}

/** A project's or session's status in its colour. */
export function paintStatus(status: ProjectStatus | SessionStatus, colors: Colors): string {
  return statusPaints[status](colors)(status);
}

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
