import { eq } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { amountOf } from './describe-budget.ts';
import { UnknownProjectError } from './errors.ts';
import { readFeatures } from './features.ts';
import { sumUsage } from './ledger/sum-usage.ts';
import { projects } from './schema/projects.ts';
import { runs } from './schema/runs.ts';
import { sessions } from './schema/work.ts';
import { type Budget, type BudgetScope, type Budgets, budgetScopes } from './shapes.ts';
import { findRun } from './transcript/transcript.ts';

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
  budget: Budget;
  spent: Spent;
  /** What `spent.minutes` was at the end of the previous call, since time also passes between calls; 0 if there was none. */
  minutesBefore: number;
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
    return [{ scope, budget, ...(await readSpent(query, scope, id)) }];
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
export function describeWhatIsLeft(standings: Array<Omit<BudgetStanding, 'minutesBefore'>>): string | undefined {
  const told = standings.flatMap(({ scope, budget, spent }) =>
    partsOf(budget, spent).map(
      (part) => `${part.told(Math.max(part.limit - part.used, 0))} of the ${scope}'s ${part.told(part.limit)}`,
    ),
  );
  return told.length ? `Of the budgets are left: ${told.join(', ')}.` : undefined;
}

/** A warning for each limit of which four fifths are used now but were not before the latest call. */
export function findWarnings(before: BudgetStanding[], added: Spent): string[] {
  return before.flatMap(({ scope, budget, spent, minutesBefore }) => {
    const after = {
      ...spent,
      usd: spent.usd + added.usd,
      tokens: spent.tokens + added.tokens,
      turns: spent.turns + added.turns,
      minutes: spent.minutes + added.minutes,
    };
    const then = partsOf(budget, after);
    return partsOf(budget, { ...spent, minutes: minutesBefore }).flatMap(({ used, limit, told }, index) => {
      const now = then[index]?.used ?? used;
      const crossed = used < warningShare * limit && now >= warningShare * limit;
      return crossed ? [`${told(now)} of the ${scope}'s budget of ${told(limit)} are used`] : [];
    });
  });
}

/** A warning for each limit of which four fifths had already been used when it was set; the pause reports those that are fully spent. */
export function findLateWarnings(standings: BudgetStanding[]): string[] {
  return standings.flatMap(({ scope, budget, spent }) =>
    partsOf(budget, spent)
      .filter(({ used, limit }) => used >= warningShare * limit && used < limit)
      .map(({ used, limit, told }) => `${told(used)} of the ${scope}'s budget of ${told(limit)} are used`),
  );
}

/** Like `findWarnings`, for a call without an answer: only its cost and tokens count; time and turns are checked with the next answer. */
export function findCallWarnings(before: BudgetStanding[], added: Spent): string[] {
  const paid = before.map(({ budget: { usd, tokens }, ...rest }) => ({
    ...rest,
    budget: { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) },
  }));
  return findWarnings(paid, added);
}

/** Adds usage to standings that were read before it occurred. */
export function countIn(standings: BudgetStanding[], { usd, tokens }: Spent): void {
  for (const standing of standings) {
    const { spent } = standing;
    standing.spent = { ...spent, usd: spent.usd + usd, tokens: spent.tokens + tokens };
  }
}

/** Names the features that do not pass yet, in a sentence. */
export async function describeWhatRemains(query: Queryable, projectId: string): Promise<string> {
  const left = (await readFeatures(query, projectId)).filter(({ status }) => status !== 'PASSING');
  const named = left.slice(0, 5).map(({ name }) => name);
  if (!named.length) return 'Its features are not planned yet.';
  return `Still to do: ${named.join(', ')}${left.length > named.length ? ` and ${left.length - named.length} more` : ''}.`;
}

async function readSpent(
  query: Queryable,
  scope: BudgetScope,
  id: string,
): Promise<Pick<BudgetStanding, 'spent' | 'minutesBefore'>> {
  const of = { project: { projectId: id }, session: { sessionId: id }, run: { rootId: id } }[scope];
  const [sum, { startedAt, endedAt }] = await Promise.all([sumUsage(query, of), readTimes(query, scope, id)]);
  const { costUsd: usd, unpricedTurns, unknownCalls, inputTokens, outputTokens, turns, latestAt } = sum;
  const minutesUntil = (time: number) => (time - startedAt.getTime()) / 60_000;
  const spent = {
    usd,
    unpricedTurns,
    unknownCalls,
    tokens: inputTokens + outputTokens,
    turns,
    minutes: minutesUntil(endedAt?.getTime() ?? Date.now()),
  };
  return { spent, minutesBefore: latestAt === null ? 0 : minutesUntil(latestAt) };
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
  if (!row) throw new UnknownProjectError(`No ${scope} has the id "${id}". \`longhaul list\` shows all projects.`);
  return row;
}

function partsOf(budget: Budget, spent: Spent) {
  const parts: Array<{ limit: number | undefined; used: number; told(amount: number): string }> = [
    { limit: budget.usd, used: spent.usd, told: (amount) => `$${amount.toFixed(2)}` },
    { limit: budget.tokens, used: spent.tokens, told: (amount) => amountOf(amount, 'token') },
    { limit: budget.turns, used: spent.turns, told: (amount) => amountOf(amount, 'turn') },
    { limit: budget.minutes, used: spent.minutes, told: (amount) => amountOf(Math.floor(amount), 'minute') },
  ];
  return parts.flatMap((part) => (part.limit === undefined ? [] : [{ ...part, limit: part.limit }]));
}
