import { describeWhatRemains, readStandings } from '../../db/budget/read-standings.ts';
import { warnOfBudgets, withoutLogged } from '../../db/budget/warn-of-budgets.ts';
import type { Database } from '../../db/connection/database.ts';
import type { NewCall } from '../../db/usage/add-call.ts';
import {
  type Amounts,
  type BudgetStanding,
  type BudgetWarning,
  findOverrun,
  findWarnings,
} from '../../domain/project/budgets.ts';
import type { Budgets } from '../../domain/project/settings.ts';
import type { RunOwner } from '../../domain/run/run-owner.ts';

export interface BudgetCheck {
  /** The state of the budgets before the call. */
  standings: BudgetStanding[];
  /** Those that were due and are given now: time has passed, a call brought no answer, or calls side by side used much together. */
  warnings: BudgetWarning[];
  /** Set if a budget is spent, so that the model must not be asked: why, and what is left to do. */
  overBudget?: string;
}

/** Checks the budgets before a model call, and gives the warnings that are due. */
export async function checkBudget(
  database: Database,
  budgets: Budgets | null,
  of: RunOwner & { sessionId?: string; runId: string },
): Promise<BudgetCheck> {
  if (of.projectId === undefined) return { standings: [], warnings: [] }; // a chat has limits instead, which its workflow checks
  const standings = budgets ? await readStandings(database, budgets, of) : [];
  const due = await withoutLogged(database, of.projectId, findWarnings(standings));
  const warnings = due.length ? await warnOfBudgets(database, of) : [];
  const overrun = findOverrun(standings);
  if (!overrun) return { standings, warnings };
  return { standings, warnings, overBudget: `${overrun}. ${await describeWhatRemains(database, of.projectId)}` };
}

/** What an answer takes from the budgets, as far as it is known; `elapsedMs` is the time since they were checked. */
export function spentOf({ inputTokens, outputTokens, costUsd }: NewCall, elapsedMs: number): Amounts {
  return {
    usd: costUsd ?? 0,
    tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
    turns: 1,
    minutes: elapsedMs / 60_000,
  };
}
