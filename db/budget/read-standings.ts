import { eq } from 'drizzle-orm';
import type { BudgetStanding, Spent } from '../../domain/project/budgets.ts';
import { type BudgetScope, type Budgets, budgetScopes } from '../../domain/project/settings.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { readFeatures } from '../features/features.ts';
import { projects } from '../schema/projects.ts';
import { runs } from '../schema/runs.ts';
import { sessions } from '../schema/work.ts';
import { findRun } from '../transcript/transcript.ts';
import { sumUsage } from '../usage/sum-usage.ts';

/** The budgets that a run works under and what is used of each. Child runs count towards their parents' budgets and share what is left of them. */
export async function readStandings(
  query: Queryable,
  budgets: Budgets,
  of: { projectId: string; sessionId?: string | undefined; runId?: string | undefined },
): Promise<BudgetStanding[]> {
  const standings = budgetScopes.map(async (scope): Promise<BudgetStanding[]> => {
    const budget = budgets[scope];
    if (!budget) return [];
    const topmost = scope === 'run' && of.runId !== undefined ? await findTopmost(query, of.runId) : undefined;
    const id = { project: of.projectId, session: of.sessionId, run: topmost }[scope];
    if (id === undefined) return [];
    return [{ scope, id, budget, spent: await readSpent(query, scope, id) }];
  });
  return (await Promise.all(standings)).flat();
}

/** Names the features that do not pass yet, in a sentence. */
export async function describeWhatRemains(query: Queryable, projectId: string): Promise<string> {
  const left = (await readFeatures(query, projectId)).filter(({ status }) => status !== 'PASSING');
  const named = left.slice(0, 5).map(({ name }) => name);
  if (!named.length) return 'It has no features yet.';
  return `Still to do: ${named.join(', ')}${left.length > named.length ? ` and ${left.length - named.length} more` : ''}.`;
}

/** What a project, a session or a topmost run has used. */
export async function readSpent(query: Queryable, scope: BudgetScope, id: string): Promise<Spent> {
  const of = { project: { projectId: id }, session: { sessionId: id }, run: { rootId: id } }[scope];
  const [sum, { startedAt, endedAt }] = await Promise.all([sumUsage(query, of), readTimes(query, scope, id)]);
  const { costUsd: usd, unpricedTurns, unknownCalls, inputTokens, outputTokens, turns } = sum;
  return {
    usd,
    unpricedTurns,
    unknownCalls,
    tokens: inputTokens + outputTokens,
    turns,
    minutes: ((endedAt?.getTime() ?? Date.now()) - startedAt.getTime()) / 60_000,
  };
}

async function findTopmost(query: Queryable, runId: string): Promise<string> {
  const run = await findRun(query, runId);
  return run?.rootId ?? runId;
}

async function readTimes(
  query: Queryable,
  scope: BudgetScope,
  id: string,
): Promise<{ startedAt: Date; endedAt: Date | null }> {
  const rows =
    scope === 'project'
      ? await query
          .select({ startedAt: projects.createdAt, endedAt: projects.endedAt })
          .from(projects)
          .where(eq(projects.id, id))
      : scope === 'session'
        ? await query
            .select({ startedAt: sessions.startedAt, endedAt: sessions.endedAt })
            .from(sessions)
            .where(eq(sessions.id, id))
        : await query.select({ startedAt: runs.startedAt, endedAt: runs.endedAt }).from(runs).where(eq(runs.id, id));
  const [row] = rows;
  if (!row)
    throw new DatabaseError('UnknownProject', `No ${scope} has the id "${id}". \`longhaul list\` shows all projects.`);
  return row;
}
