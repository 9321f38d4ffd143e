import { expect, test } from '@jest/globals';
import { type BudgetStanding, findOverrun, findWarnings, type Spent } from '../../db/budget.ts';

const nothing: Spent = { usd: 0, unpricedTurns: 0, tokens: 0, turns: 0, minutes: 0 };
const standing = (budget: BudgetStanding['budget'], spent: Partial<Spent>): BudgetStanding[] => [
  { scope: 'project', budget, spent: { ...nothing, ...spent } },
];
const added = { usd: 0, unpricedTurns: 0, tokens: 0, turns: 0 };

test('a budget would be overrun before it is noticed', () => {
  expect(findOverrun(standing({ usd: 20 }, { usd: 19.99 }))).toBeUndefined();
  expect(findOverrun(standing({ usd: 20 }, { usd: 20.13 }))).toBe("The project's budget of $20.00 is spent ($20.13)");
  expect(findOverrun(standing({ minutes: 60 }, { minutes: 61.7 }))).toContain('60 minutes is spent (61 minutes)');
  expect(findOverrun(standing({ tokens: 10, turns: 5 }, { tokens: 9, turns: 5 }))).toContain('5 turns');
});

test('a limit that is absent would be one of nothing', () => {
  expect(findOverrun(standing({}, { usd: 1000, tokens: 1e9, turns: 1e6, minutes: 1e6 }))).toBeUndefined();
});

test('the warning would come at each turn beyond four fifths', () => {
  const budget = { tokens: 100 };
  expect(findWarnings(standing(budget, { tokens: 70 }), { ...added, tokens: 9 })).toEqual([]);
  expect(findWarnings(standing(budget, { tokens: 70 }), { ...added, tokens: 10 })).toEqual([
    "80 tokens of the project's budget of 100 tokens are used",
  ]);
  expect(findWarnings(standing(budget, { tokens: 80 }), { ...added, tokens: 10 })).toEqual([]);
});
