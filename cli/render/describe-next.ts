import type { ProjectStatusView } from '../../client/project/project-status.ts';
import { printableLine } from './printable.ts';

/** What a person can do next with a project that stands still; the reason, shown before, may already name a spent budget. */
export function describeNext({ status, id, reason, overBudget }: ProjectStatusView): string | undefined {
  if (status === 'PAUSED' || status === 'WAITING') {
    if (overBudget === null) return `\`longhaul resume ${id}\` continues.`;
    return reason?.includes(overBudget)
      ? describeOverBudget(id)
      : `${printableLine(overBudget)}. ${describeOverBudget(id)}`;
  }
  if (status === 'FAILED') return `\`longhaul log ${id}\` shows what happened; \`longhaul resume ${id}\` tries again.`;
  return undefined;
}

/** What a person can do about a spent budget; raising it also resumes a project that paused because of it. */
export function describeOverBudget(id: string): string {
  return `\`longhaul budget ${id}\` raises the limit (--usd, --tokens, --turns or --minutes with a number or none; --per session or run). Then the project continues; if it does not, \`longhaul resume ${id}\` continues it.`;
}
