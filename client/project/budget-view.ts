import { readStandings, type Spent } from '../../db/budget.ts';
import type { Queryable } from '../../db/database.ts';
import type { Budgets } from '../../db/shapes.ts';

export interface BudgetView {
  budgets: Budgets;
  /** Of the whole project. */
  spent: Spent;
}

export async function readBudget(query: Queryable, projectId: string, budgets: Budgets): Promise<BudgetView> {
  const [standing] = await readStandings(query, { project: {} }, { projectId });
  if (!standing) throw new Error(`Expected the standing of ${projectId}, found none.`);
  return { budgets, spent: standing.spent };
}
