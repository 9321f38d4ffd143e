import { and, eq, sql } from 'drizzle-orm';
import { type BudgetWarning, findWarnings } from '../../domain/project/budgets.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { inProject } from '../project/project-transaction.ts';
import { events } from '../schema/runs.ts';
import { readStandings } from './read-standings.ts';

/**
 * Warns once of each limit that is four fifths used, and returns the new warnings. Locks the project, so that parallel runs neither repeat nor miss a
 * warning.
 */
export async function warnOfBudgets(
  database: Database,
  run: { projectId: string; sessionId?: string | undefined; runId: string },
): Promise<BudgetWarning[]> {
  const { sessionId, runId } = run;
  return inProject(database, run.projectId, async ({ query, project, log }) => {
    const { id: projectId, settings } = project;
    const standings = await readStandings(query, settings.budgets ?? {}, { projectId, sessionId, runId });
    const warnings = await withoutLogged(query, projectId, findWarnings(standings));
    for (const warning of warnings) await log({ type: 'budget.warned', ...warning });
    return warnings;
  });
}

/** Leaves out the warnings about limits that the project's events already warn of. */
export async function withoutLogged(
  query: Queryable,
  projectId: string,
  warnings: BudgetWarning[],
): Promise<BudgetWarning[]> {
  if (!warnings.length) return [];
  const rows = await query
    .select({ limit: sql<string | null>`${events.data}->>'limit'` })
    .from(events)
    .where(and(eq(events.projectId, projectId), sql`${events.data}->>'type' = 'budget.warned'`));
  const logged = new Set(rows.map(({ limit }) => limit));
  return warnings.filter(({ limit }) => !logged.has(limit));
}
