import { and, desc, eq } from 'drizzle-orm';
import { readStandings } from '../../db/budget/read-standings.ts';
import type { Queryable } from '../../db/connection/database.ts';
import { runs } from '../../db/schema/runs.ts';
import { sessions } from '../../db/schema/work.ts';
import { findOverrun, type Spent } from '../../domain/project/budgets.ts';
import type { Budgets } from '../../domain/project/settings.ts';

export interface BudgetView {
  budgets: Budgets;
  /** By the whole project. */
  spent: Spent;
}

export async function readBudget(query: Queryable, projectId: string, budgets: Budgets): Promise<BudgetView> {
  const [standing] = await readStandings(query, { project: {} }, { projectId });
  if (!standing) throw new Error(`Expected the standing of ${projectId}, found none.`);
  return { budgets, spent: standing.spent };
}

/**
 * Why no model would be asked if the project went on: a budget of the project, or of its current session or run, is spent. Undefined if something is
 * left, or if a session is continuing without a model.
 */
export async function readOverrun(query: Queryable, projectId: string, budgets: Budgets): Promise<string | undefined> {
  if (!Object.keys(budgets).length) return undefined;
  const [session] = await query
    .select({ id: sessions.id, status: sessions.status })
    .from(sessions)
    .where(eq(sessions.projectId, projectId))
    .orderBy(desc(sessions.number))
    .limit(1);
  const [run] = await query
    .select({ id: runs.id, sessionId: runs.sessionId })
    .from(runs)
    .where(and(eq(runs.projectId, projectId), eq(runs.status, 'RUNNING')))
    .orderBy(desc(runs.startedAt))
    .limit(1);
  const sessionId = session?.status === 'RUNNING' ? session.id : undefined;
  // The session is committing or verifying, which asks no model; the next step that asks one checks the budget itself.
  if (sessionId !== undefined && run?.sessionId !== sessionId) return undefined;
  const standings = await readStandings(query, budgets, { projectId, sessionId, runId: run?.id });
  return findOverrun(standings);
}
