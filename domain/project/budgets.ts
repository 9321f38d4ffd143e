import type { Budget, BudgetScope, Budgets } from './settings.ts';

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

/** Why a model must not be asked: a budget is spent, or a rule stops the spending. */
export interface SpendingStop {
  /** Why, and what is left to do. */
  reason: string;
  /** Set if it is a rule; `request`: what a person has to answer first. */
  byRule?: { request?: string };
  /** The project's budgets at that moment. */
  budgets: Budgets;
}

/** The share of a budget at which one warning is given. */
export const warningShare = 0.8;

/** Why no further call may be made; undefined while each budget has something left. */
export function findOverrun(standings: BudgetStanding[]): string | undefined {
  for (const { scope, budget, spent } of standings) {
    if (budget.usd !== undefined && spent.unpricedTurns > 0) {
      return `The ${scope}'s budget is in dollars, but the cost of ${spent.unpricedTurns === 1 ? '1 turn' : `${spent.unpricedTurns} turns`} is unknown: the model has no known price, or its server reports no usage. Set a budget in tokens or turns instead`;
    }
    const reached = partsOf(budget, spent).find(({ used, limit }) => used >= limit);
    if (reached)
      return `The ${scope}'s budget of ${reached.format(reached.limit)} is spent (${reached.format(reached.used)})`;
  }
  return undefined;
}

/** Describes what is left of each budget in a sentence; undefined if there are none. */
export function describeWhatIsLeft(standings: Array<Omit<BudgetStanding, 'id'>>): string | undefined {
  const parts = standings.flatMap(({ scope, budget, spent }) =>
    partsOf(budget, spent).map(
      (part) => `${part.format(Math.max(part.limit - part.used, 0))} of the ${scope}'s ${part.format(part.limit)}`,
    ),
  );
  return parts.length ? `Budget left: ${parts.join(', ')}.` : undefined;
}

/** A warning for each limit of which at least four fifths are used, with what was `added` since the standings were read. */
export function findWarnings(standings: BudgetStanding[], added: Partial<Amounts> = {}): BudgetWarning[] {
  return standings.flatMap(({ scope, id, budget, spent }) =>
    partsOf(budget, spent).flatMap(({ name, limit, format, used }) => {
      const now = used + (added[name] ?? 0);
      if (now < warningShare * limit) return [];
      const text = `${format(now)} of the ${scope}'s budget of ${format(limit)} are used`;
      return [{ text, limit: `${scope} ${id}: ${name} ${limit}` }];
    }),
  );
}

/** A budget in words: `$20, 500,000 tokens`. */
export function describeBudget({ usd, tokens, turns, minutes }: Budget): string {
  const parts = [
    usd !== undefined && `$${usd}`,
    tokens !== undefined && amountOf(tokens, 'token'),
    turns !== undefined && amountOf(turns, 'turn'),
    minutes !== undefined && amountOf(minutes, 'minute'),
  ].filter(Boolean);
  return parts.join(', ') || 'no limit';
}

/** An amount in words, exact: `1 turn`, `500,000 tokens`. */
export function amountOf(amount: number, noun: string): string {
  return `${amount.toLocaleString('en', { maximumFractionDigits: 20 })} ${amount === 1 ? noun : `${noun}s`}`;
}

/** Whether two sets of budgets have the same limits, in any order. */
export function isSameBudgets(one: Budgets, other: Budgets): boolean {
  return inOrder(one) === inOrder(other);
}

function inOrder(budgets: Budgets): string {
  const scopes = Object.entries(budgets).map(
    ([scope, budget]) => [scope, Object.entries(budget ?? {}).sort()] as const,
  );
  return JSON.stringify(scopes.filter(([, limits]) => limits.length > 0).sort());
}

const formats: { [Name in keyof Amounts]: (amount: number) => string } = {
  usd: formatDollars,
  tokens: (amount) => amountOf(amount, 'token'),
  turns: (amount) => amountOf(amount, 'turn'),
  minutes: (amount) => amountOf(amount < 1 ? twoDigits(amount) : Math.floor(amount), 'minute'),
};

/** An amount of dollars: `$0.034`, `$5.02`. */
export function formatDollars(amount: number): string {
  return `$${amount < 0.1 ? twoDigits(amount) : amount.toFixed(2)}`;
}

/** A small amount, which would otherwise be rounded to nothing. */
function twoDigits(amount: number): number {
  return Number(amount.toPrecision(2));
}

function partsOf(budget: Budget, spent: Amounts) {
  return (Object.keys(formats) as Array<keyof Amounts>).flatMap((name) => {
    const limit = budget[name];
    return limit === undefined ? [] : [{ name, limit, used: spent[name], format: formats[name] }];
  });
}
