import { formatCost } from '../../client/format/cost.ts';
import { countOf, formatCount } from '../../client/format/count.ts';
import { formatDuration } from '../../client/format/time.ts';
import type { ProjectStatusView } from '../../client/project/project-status.ts';
import type { WorkflowDefect } from '../../client/project/workflow-defect.ts';
import { formatNetworkPolicy } from '../../domain/network/network-policy.ts';
import { alignColumns } from './columns.ts';
import { describeNext } from './describe-next.ts';
import { printableLine } from './printable.ts';
import { describeCounts, paintStatus } from './status-marks.ts';
import type { Colors } from './style.ts';

/** Renders the output of `longhaul status`. */
export function renderStatus(view: ProjectStatusView, colors: Colors): string {
  const { features, tokens, current } = view;
  const rows = [
    ['status', `${paintStatus(view.status, colors)}${view.reason ? `  ${printableLine(view.reason)}` : ''}`],
    ['features', features.total ? `${describeCounts(features)} (of ${features.total})` : 'not planned yet'],
    ...(current ? [['now', describeCurrent(current)]] : []),
    ['sessions', String(view.sessions)],
    [
      'tokens',
      `${formatCount(tokens.input)} in (${formatCount(tokens.cached)} cached), ${formatCount(tokens.output)} out`,
    ],
    ...(view.turns ? [['cost', formatCost(view.cost)]] : []),
    [view.endedAt ? 'took' : 'for', formatDuration(view.elapsedMs)],
    ['network', formatNetworkPolicy(view.network)],
    ['folder', view.folder],
    ['project', view.id],
  ];
  const next = describeNext(view);
  return [colors.bold(printableLine(view.name)), ...alignColumns(rows), ...(next ? ['', next] : [])].join('\n');
}

function describeCurrent({ feature, attempt, run, session }: NonNullable<ProjectStatusView['current']>): string {
  const at = run ? `, ${run.hasEnded ? 'verification' : `${run.role} after ${countOf(run.turns, 'turn')}`}` : '';
  return `${feature}, attempt ${attempt}${at} (${session.slice(session.lastIndexOf('-') + 1)})`;
}

/** Says that a bug stops a project. */
export function describeDefect({ workflow, message }: WorkflowDefect): string {
  return `The workflow ${workflow} fails with an error in Longhaul's code: ${printableLine(message)} It continues when a fixed version is deployed.`;
}
