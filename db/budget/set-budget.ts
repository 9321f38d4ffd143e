import { and, eq } from 'drizzle-orm';
import { type BudgetWarning, describeBudget, findWarnings } from '../../domain/project/budgets.ts';
import type { Budget, BudgetScope, Budgets } from '../../domain/project/settings.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { inProject } from '../project/project-transaction.ts';
import { projects } from '../schema/projects.ts';
import { runs } from '../schema/runs.ts';
import { sessions } from '../schema/work.ts';
import { readStandings } from './read-standings.ts';

/** Sets limits of a budget (null removes one) and returns all budgets of the project. Repeating it has no effect and adds no event. */
export async function setBudget(
  database: Database,
  request: { projectId: string; scope?: BudgetScope; limits: { [Name in keyof Budget]?: number | null } },
): Promise<Budgets> {
  const { scope = 'project', limits } = request;
  return inProject(database, request.projectId, async ({ query, project, log }) => {
    const earlier = project.settings.budgets ?? {};
    const merged = Object.entries({ ...earlier[scope], ...limits }).filter(([, limit]) => limit != null);
    const budget: Budget = Object.fromEntries(merged);
    const { [scope]: before, ...others } = earlier;
    if (describeBudget(before ?? {}) === describeBudget(budget)) return earlier;
    const budgets: Budgets = merged.length ? { ...others, [scope]: budget } : others;
    await query
      .update(projects)
      .set({ settings: { ...project.settings, budgets } })
      .where(eq(projects.id, project.id));
    await log({ type: 'budget.changed', scope, text: describeBudget(budget) });
    const changed = Object.fromEntries(merged.filter(([name, limit]) => before?.[name as keyof Budget] !== limit));
    for (const warning of await warningsOf(query, project.id, scope, changed))
      await log({ type: 'budget.warned', ...warning });
    return budgets;
  });
}

/** Warnings for limits that the work in progress has reached or nearly reached. */
async function warningsOf(
  query: Queryable,
  projectId: string,
  scope: BudgetScope,
  budget: Budget,
): Promise<Iterable<BudgetWarning>> {
  const standings = (await readWork(query, projectId, scope)).map((work) =>
    readStandings(query, { [scope]: budget }, { projectId, ...work }),
  );
  const warnings = findWarnings((await Promise.all(standings)).flat());
  return new Map(warnings.map((warning) => [warning.limit, warning])).values(); // child runs share the budget of their topmost run
}

/** The work in progress that a budget of this scope applies to. */
async function readWork(
  query: Queryable,
  projectId: string,
  scope: BudgetScope,
): Promise<Array<{ sessionId?: string; runId?: string }>> {
  if (scope === 'project') return [{}];
  if (scope === 'session') {
    const atWork = and(eq(sessions.projectId, projectId), eq(sessions.status, 'RUNNING'));
    return query.select({ sessionId: sessions.id }).from(sessions).where(atWork);
  }
  const atWork = and(eq(runs.projectId, projectId), eq(runs.status, 'RUNNING'));
  return query.select({ runId: runs.id }).from(runs).where(atWork);
}
