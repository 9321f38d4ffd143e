import { type BudgetStanding, describeWhatRemains, findOverrun, readStandings } from '../db/budget.ts';
import type { Database } from '../db/database.ts';
import type { RunOwner } from '../db/run-owner.ts';
import type { Budgets } from '../db/shapes.ts';

export interface BudgetCheck {
  /** The state of the budgets before the call. */
  standings: BudgetStanding[];
  /** Set if a budget is spent, so that the model must not be asked: why, and what is left to do. */
  overBudget?: string;
}

/** Checks the budgets before a model call. */
export async function checkBudget(
  database: Database,
  budgets: Budgets | null,
  of: RunOwner & { sessionId?: string; runId: string },
): Promise<BudgetCheck> {
  if (of.projectId === undefined) return { standings: [] }; // a chat has limits instead, which its workflow checks
  const standings = budgets ? await readStandings(database, budgets, of) : [];
  const overrun = findOverrun(standings);
  if (!overrun) return { standings };
  return { standings, overBudget: `${overrun}. ${await describeWhatRemains(database, of.projectId)}` };
}
