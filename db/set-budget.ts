import { eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import { describeBudget } from './describe-budget.ts';
import { inProject } from './project-transaction.ts';
import { projects } from './schema/projects.ts';
import type { Budget, BudgetScope, Budgets } from './shapes.ts';

/** Sets limits of a budget, null for none, and returns all budgets of the project; done again, it changes and tells nothing. */
export async function setBudget(
  database: Database,
  request: { projectId: string; scope?: BudgetScope; limits: { [Name in keyof Budget]?: number | null } },
): Promise<Budgets> {
  const { scope = 'project', limits } = request;
  return inProject(database, request.projectId, async ({ query, project, tell }) => {
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
    await tell({ type: 'budget-changed', scope, text: describeBudget(budget) });
    return budgets;
  });
}
