import { shortCheckpoint, shortCommit } from '../../client/format/commit.ts';
import { formatCount } from '../../client/format/count.ts';
import { formatElapsed, formatMoment } from '../../client/format/time.ts';
import type { FeatureView } from '../../client/project/project-handle.ts';
import type { SessionSummary } from '../../client/project/session-summaries.ts';
import type { Checkpoint } from '../../domain/project/checkpoint.ts';
import type { JudgedDecision } from '../../domain/project/decision.ts';
import { describeFeedback } from '../../domain/project/decision-feedback.ts';
import type { Project } from '../../domain/project/project.ts';
import { alignColumns, fitColumns } from './columns.ts';
import { printableLine } from './printable.ts';
import { featureMark, paintFeatureStatus, paintStatus } from './status-marks.ts';
import type { ListStyle } from './style.ts';

export function renderProjects(projects: Project[], { colors, width }: ListStyle): string[] {
  const rows = projects.map((one) => [
    one.id,
    paintStatus(one.status, colors),
    formatMoment(one.createdAt),
    printableLine(one.name),
    colors.dim(printableLine(one.folder)),
  ]);
  return fitColumns(rows, width);
}

export function renderFeatures(features: FeatureView[], { colors, width }: ListStyle): string[] {
  const rows = features.map((one) => [
    featureMark(one.status, colors),
    one.name,
    one.category,
    String(one.priority),
    paintFeatureStatus(one.status, colors),
    [
      one.red && `red at ${shortCommit(one.red)}`,
      one.status === 'PASSING' && one.commit && `green at ${shortCommit(one.commit)}`,
      one.attempts > 0 && `${one.attempts} failed`,
      one.status !== 'PASSING' && one.reason && printableLine(one.reason),
    ]
      .filter(Boolean)
      .join('; '),
  ]);
  return alignColumns(rows, width);
}

export function renderSessions(sessions: SessionSummary[], { colors, width }: ListStyle): string[] {
  const rows = sessions.map((one) => [
    `s${one.number}`,
    one.feature,
    `attempt ${one.attempt}`,
    paintStatus(one.status, colors),
    one.commit ? shortCommit(one.commit) : '',
    `${one.turns} turns`,
    `${formatCount(one.tokens)} tokens`,
    formatElapsed(one.startedAt, one.endedAt),
    one.runs.map(({ id }) => id.slice(id.lastIndexOf('-s') + 1)).join(' '),
  ]);
  return fitColumns(rows, width);
}

export function renderCheckpoints(
  checkpoints: Checkpoint[],
  { colors, width }: ListStyle,
  present: string[],
): string[] {
  const rows = checkpoints.map((one) => [
    shortCheckpoint(one.id),
    shortCommit(one.commit),
    formatMoment(one.createdAt),
    printableLine(one.title),
    present.includes(one.id) ? '' : colors.dim('reverted'),
  ]);
  return alignColumns(rows, width);
}

export function renderDecisions(decisions: JudgedDecision[], { colors }: ListStyle): string[] {
  return decisions.flatMap((one, index) => [
    ...(index ? [''] : []),
    colors.bold(printableLine(one.title)),
    ...alignColumns([
      ['  choice', printableLine(one.choice)],
      ['  context', printableLine(one.context)],
      ['  reasoning', printableLine(one.reasoning)],
      ['  tags', one.tags.map(printableLine).join(', ')],
      ...(one.feedback ? [['  outcome', printableLine(describeFeedback(one.feedback))]] : []),
    ]),
  ]);
}
