import type { ProjectStatusView } from '../../client/project/project-status.ts';
import { printableLine } from './printable.ts';
import { tellOverBudget } from './tell-over-budget.ts';

/** What a person can do next with a project that does not go on by itself; the reason, which is shown before, may already tell of a spent budget. */
export function tellNext({ status, id, reason, overBudget }: ProjectStatusView): string | undefined {
  if (status === 'PAUSED' || status === 'WAITING') {
    if (overBudget === null) return `\`longhaul resume ${id}\` goes on.`;
    return reason?.includes(overBudget) ? tellOverBudget(id) : `${printableLine(overBudget)}. ${tellOverBudget(id)}`;
  }
  if (status === 'FAILED') return `\`longhaul log ${id}\` tells what happened; \`longhaul resume ${id}\` tries again.`;
  return undefined;
}
