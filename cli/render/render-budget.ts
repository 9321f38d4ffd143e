import { formatCost } from '../../client/format/cost.ts';
import { countOf, formatCount } from '../../client/format/count.ts';
import { formatDuration } from '../../client/format/time.ts';
import type { BudgetView } from '../../client/project/budget-view.ts';
import { describeBudget } from '../../domain/project/budgets.ts';
import { budgetScopes } from '../../domain/project/settings.ts';
import { alignColumns } from './columns.ts';

/** Renders the output of `longhaul budget`: the limits, and what the project has used. */
export function renderBudget({ budgets, spent }: BudgetView): string {
  const used = [
    `cost ${formatCost(spent)}`,
    `${formatCount(spent.tokens)} tokens`,
    countOf(spent.turns, 'turn'),
    formatDuration(spent.minutes * 60_000),
  ];
  const limits = budgetScopes.map((scope) => [
    `each ${scope}`.replace('each project', 'project'),
    describeBudget(budgets[scope] ?? {}),
  ]);
  return alignColumns([...limits, ['used', used.join(', ')]]).join('\n');
}
