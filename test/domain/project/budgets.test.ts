import { expect, test } from '@jest/globals';
import {
  type BudgetStanding,
  describeBudget,
  describeWhatIsLeft,
  findOverrun,
  findWarnings,
  isSameBudgets,
  type Spent,
} from '../../../domain/project/budgets.ts';

const nothing: Spent = { usd: 0, unpricedTurns: 0, unknownCalls: 0, tokens: 0, turns: 0, minutes: 0 };
const standing = (budget: BudgetStanding['budget'], spent: Partial<Spent>): BudgetStanding[] => [
  { scope: 'project', id: 'p', budget, spent: { ...nothing, ...spent } },
];
const warnings = (...given: Parameters<typeof findWarnings>) => findWarnings(...given).map(({ text }) => text);

test('a budget that is reached is noticed', () => {
  expect(findOverrun(standing({ usd: 20 }, { usd: 19.99 }))).toBeUndefined();
  expect(findOverrun(standing({ usd: 20 }, { usd: 20.13 }))).toBe("The project's budget of $20.00 is spent ($20.13)");
  expect(findOverrun(standing({ minutes: 60 }, { minutes: 61.7 }))).toContain('60 minutes is spent (61 minutes)');
  expect(findOverrun(standing({ tokens: 10, turns: 5 }, { tokens: 9, turns: 5 }))).toContain('5 turns');
});

test('small budgets and amounts are shown exactly', () => {
  expect(findOverrun(standing({ usd: 0.001 }, { usd: 0.008312 }))).toBe(
    "The project's budget of $0.001 is spent ($0.0083)",
  );
  expect(findOverrun(standing({ minutes: 0.5 }, { minutes: 0.5217 }))).toContain('0.5 minutes is spent (0.52 minutes)');
  expect(describeWhatIsLeft(standing({ usd: 1 }, { usd: 1 }))).toContain("$0 of the project's $1.00");
});

test('one turn is shown as one', () => {
  const one = { turns: 1, minutes: 1, tokens: 1 };
  expect(findOverrun(standing({ turns: 1 }, one))).toBe("The project's budget of 1 turn is spent (1 turn)");
  expect(findOverrun(standing({ usd: 1 }, { unpricedTurns: 1 }))).toContain('but the cost of 1 turn is unknown');
  expect(describeBudget({ usd: 1, ...one })).toBe('$1, 1 token, 1 turn, 1 minute');
});

test('an absent limit limits nothing', () => {
  expect(findOverrun(standing({}, { usd: 1000, tokens: 1e9, turns: 1e6, minutes: 1e6 }))).toBeUndefined();
});

test('an agent is told what is left of its budgets, never less than nothing', () => {
  expect(describeWhatIsLeft(standing({ usd: 20, turns: 5 }, { usd: 7.6, turns: 6 }))).toBe(
    "Budget left: $12.40 of the project's $20.00, 0 turns of the project's 5 turns.",
  );
  expect(describeWhatIsLeft(standing({}, {}))).toBeUndefined();
});

test('a warning comes before a budget is spent, and not too early', () => {
  const budget = { tokens: 100 };
  expect(warnings(standing(budget, { tokens: 70 }), { tokens: 9 })).toEqual([]);
  const told = ["80 tokens of the project's budget of 100 tokens are used"];
  expect(warnings(standing(budget, { tokens: 70 }), { tokens: 10 })).toEqual(told);
  expect(warnings(standing(budget, { tokens: 80 }))).toEqual(told);
  expect(warnings(standing({ usd: 5, turns: 50 }, { usd: 3.9, turns: 39 }), { usd: 0.2 })).toEqual([
    "$4.10 of the project's budget of $5.00 are used",
  ]);
  expect(warnings(standing({ minutes: 100 }, { minutes: 79 }), { minutes: 2.5 })).toEqual([
    "81 minutes of the project's budget of 100 minutes are used",
  ]);
});

test('each limit has its own warning', () => {
  const spent = { usd: 5, tokens: 5, turns: 5, minutes: 5 };
  const found = [{ usd: 0.001 }, { usd: 0.002 }, { tokens: 5 }, { turns: 5 }, { minutes: 5 }].flatMap((budget) =>
    (['project', 'session', 'run'] as const).flatMap((scope) =>
      findWarnings(['a', 'b'].map((id) => ({ scope, id, budget, spent: { ...nothing, ...spent } }))),
    ),
  );
  expect(new Set(found.map(({ limit }) => limit)).size).toBe(5 * 3 * 2);
});

test('a call without known usage does not stop a budget in dollars', () => {
  expect(findOverrun(standing({ usd: 5 }, { usd: 1, unknownCalls: 3 }))).toBeUndefined();
  expect(findOverrun(standing({ usd: 5 }, { usd: 1, unpricedTurns: 1 }))).toContain(
    'is unknown: the model has no known price',
  );
});

test('equal budgets are recognized in any form, and a raised one as different', () => {
  const budgets = { project: { usd: 20, turns: 5 }, run: { tokens: 10 } };
  expect(isSameBudgets(budgets, { run: { tokens: 10 }, project: { turns: 5, usd: 20 }, session: {} })).toBe(true);
  expect(isSameBudgets(budgets, { ...budgets, project: { usd: 20, turns: 6 } })).toBe(false);
  expect(isSameBudgets(budgets, { project: budgets.project })).toBe(false);
  expect(isSameBudgets({}, budgets)).toBe(false);
});
