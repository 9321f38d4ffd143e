import { describeBudget } from '../../../db/describe-budget.ts';
import { budgetScopes } from '../../../db/shapes.ts';
import { formatCost } from '../../format/cost.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import type { BudgetView } from '../../project/budget-view.ts';
import { alignColumns } from './align-columns.ts';

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
