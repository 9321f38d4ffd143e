import { eq } from 'drizzle-orm';
import { amountOf } from '../../domain/project/describe-budget.ts';
import { type Budget, type BudgetScope, type Budgets, budgetScopes } from '../../domain/project/settings.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { readFeatures } from '../project/features.ts';
import { projects } from '../schema/projects.ts';
import { runs } from '../schema/runs.ts';
import { sessions } from '../schema/work.ts';
import { findRun } from '../transcript/transcript.ts';
import { sumUsage } from '../usage/sum-usage.ts';

/** How much of a budget has been used. */
export interface Spent {
  /** US dollars of the calls whose cost is known. */
  usd: number;
  unpricedTurns: number;
  /** Calls without an answer that may have cost more than is counted. */
  unknownCalls: number;
  /** Input plus output. */
  tokens: number;
  turns: number;
  /** From its start to its end or to now, pauses included. */
  minutes: number;
}

export interface BudgetStanding {
  scope: BudgetScope;
  /** Of the project, the session or the topmost run. */
  id: string;
  budget: Budget;
  spent: Spent;
}

/** An amount of each kind that a budget can limit. */
export type Amounts = Pick<Spent, keyof Budget>;

export interface BudgetWarning {
  text: string;
  /** Which limit of what: each has one warning. */
  limit: string;
}

/** The share of a budget at which one warning is given. */
export const warningShare = 0.8;

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

/** Why no further call may be made; undefined while each budget has something left. */
export function findOverrun(standings: BudgetStanding[]): string | undefined {
  for (const { scope, budget, spent } of standings) {
    if (budget.usd !== undefined && spent.unpricedTurns > 0) {
      return `The ${scope}'s budget is in dollars, and ${spent.unpricedTurns === 1 ? '1 turn was' : `${spent.unpricedTurns} turns were`} of a model without a known price, or whose server did not count. Set one in tokens or turns instead`;
    }
    const reached = partsOf(budget, spent).find(({ used, limit }) => used >= limit);
    if (reached)
      return `The ${scope}'s budget of ${reached.told(reached.limit)} is spent (${reached.told(reached.used)})`;
  }
  return undefined;
}

/** Describes what is left of each budget in a sentence; undefined if there are none. */
export function describeWhatIsLeft(standings: Array<Omit<BudgetStanding, 'id'>>): string | undefined {
  const told = standings.flatMap(({ scope, budget, spent }) =>
    partsOf(budget, spent).map(
      (part) => `${part.told(Math.max(part.limit - part.used, 0))} of the ${scope}'s ${part.told(part.limit)}`,
    ),
  );
  return told.length ? `Of the budgets are left: ${told.join(', ')}.` : undefined;
}

/** A warning for each limit of which at least four fifths are used, with what was `added` since the standings were read. */
export function findWarnings(standings: BudgetStanding[], added: Partial<Amounts> = {}): BudgetWarning[] {
  return standings.flatMap(({ scope, id, budget, spent }) =>
    partsOf(budget, spent).flatMap(({ name, limit, told, used }) => {
      const now = used + (added[name] ?? 0);
      if (now < warningShare * limit) return [];
      const text = `${told(now)} of the ${scope}'s budget of ${told(limit)} are used`;
      return [{ text, limit: `${scope} ${id}: ${name} ${limit}` }];
    }),
  );
}

/** Names the features that do not pass yet, in a sentence. */
export async function describeWhatRemains(query: Queryable, projectId: string): Promise<string> {
  const left = (await readFeatures(query, projectId)).filter(({ status }) => status !== 'PASSING');
  const named = left.slice(0, 5).map(({ name }) => name);
  if (!named.length) return 'Its features are not planned yet.';
  return `Still to do: ${named.join(', ')}${left.length > named.length ? ` and ${left.length - named.length} more` : ''}.`;
}

async function readSpent(query: Queryable, scope: BudgetScope, id: string): Promise<Spent> {
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

const tellers: { [Name in keyof Amounts]: (amount: number) => string } = {
  usd: (amount) => `$${amount < 0.1 ? twoDigits(amount) : amount.toFixed(2)}`,
  tokens: (amount) => amountOf(amount, 'token'),
  turns: (amount) => amountOf(amount, 'turn'),
  minutes: (amount) => amountOf(amount < 1 ? twoDigits(amount) : Math.floor(amount), 'minute'),
};

/** A small amount, which would otherwise be told as nothing. */
function twoDigits(amount: number): number {
  return Number(amount.toPrecision(2));
}

function partsOf(budget: Budget, spent: Amounts) {
  return (Object.keys(tellers) as Array<keyof Amounts>).flatMap((name) => {
    const limit = budget[name];
    return limit === undefined ? [] : [{ name, limit, used: spent[name], told: tellers[name] }];
  });
}
