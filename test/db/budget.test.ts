import { expect, test } from '@jest/globals';
import {
  type BudgetStanding,
  countIn,
  describeWhatIsLeft,
  findCallWarnings,
  findLateWarnings,
  findOverrun,
  findWarnings,
  type Spent,
} from '../../db/budget.ts';
import { describeBudget } from '../../db/describe-budget.ts';

const nothing: Spent = { usd: 0, unpricedTurns: 0, unknownCalls: 0, tokens: 0, turns: 0, minutes: 0 };
const standing = (
  budget: BudgetStanding['budget'],
  spent: Partial<Spent>,
  minutesBefore = spent.minutes ?? 0,
): BudgetStanding[] => [{ scope: 'project', budget, spent: { ...nothing, ...spent }, minutesBefore }];
const added = nothing;

test('a budget would be overrun before it is noticed', () => {
  expect(findOverrun(standing({ usd: 20 }, { usd: 19.99 }))).toBeUndefined();
  expect(findOverrun(standing({ usd: 20 }, { usd: 20.13 }))).toBe("The project's budget of $20.00 is spent ($20.13)");
  expect(findOverrun(standing({ minutes: 60 }, { minutes: 61.7 }))).toContain('60 minutes is spent (61 minutes)');
  expect(findOverrun(standing({ tokens: 10, turns: 5 }, { tokens: 9, turns: 5 }))).toContain('5 turns');
});

test('one turn would be told as several', () => {
  const one = { turns: 1, minutes: 1, tokens: 1 };
  expect(findOverrun(standing({ turns: 1 }, one))).toBe("The project's budget of 1 turn is spent (1 turn)");
  expect(findOverrun(standing({ usd: 1 }, { unpricedTurns: 1 }))).toContain(', and 1 turn was of a model');
  expect(describeBudget({ usd: 1, ...one })).toBe('$1, 1 token, 1 turn, 1 minute');
});

test('a limit that is absent would be one of nothing', () => {
  expect(findOverrun(standing({}, { usd: 1000, tokens: 1e9, turns: 1e6, minutes: 1e6 }))).toBeUndefined();
});

test('an agent would be told of a budget that is spent as if there were a debt, or of one that nobody set', () => {
  expect(describeWhatIsLeft(standing({ usd: 20, turns: 5 }, { usd: 7.6, turns: 6 }))).toBe(
    "Of the budgets are left: $12.40 of the project's $20.00, 0 turns of the project's 5 turns.",
  );
  expect(describeWhatIsLeft(standing({}, {}))).toBeUndefined();
});

test('the warning would come at each turn beyond four fifths', () => {
  const budget = { tokens: 100 };
  expect(findWarnings(standing(budget, { tokens: 70 }), { ...added, tokens: 9 })).toEqual([]);
  expect(findWarnings(standing(budget, { tokens: 70 }), { ...added, tokens: 10 })).toEqual([
    "80 tokens of the project's budget of 100 tokens are used",
  ]);
  expect(findWarnings(standing(budget, { tokens: 80 }), { ...added, tokens: 10 })).toEqual([]);
});

test('a budget that is set when it is nearly spent would be spent without a warning', () => {
  const told = ["$8.50 of the project's budget of $10.00 are used"];
  expect(findLateWarnings(standing({ usd: 10, turns: 50 }, { usd: 8.5, turns: 39 }))).toEqual(told);
  expect(findLateWarnings(standing({ usd: 8 }, { usd: 8.5 }))).toEqual([]); // the pause says so
});

test('a budget in dollars would be spent without a warning', () => {
  expect(findWarnings(standing({ usd: 5 }, { usd: 3.9 }), { ...added, usd: 0.2 })).toEqual([
    "$4.10 of the project's budget of $5.00 are used",
  ]);
});

test('a budget in minutes would be spent without a warning, or with one at each call', () => {
  const budget = { minutes: 100 };
  const told = ["81 minutes of the project's budget of 100 minutes are used"];
  // Four fifths are passed while the model answers, then before it is asked.
  expect(findWarnings(standing(budget, { minutes: 79 }), { ...added, minutes: 2 })).toEqual(told);
  expect(findWarnings(standing(budget, { minutes: 80.5 }, 60), { ...added, minutes: 0.5 })).toEqual(told);
  expect(findWarnings(standing(budget, { minutes: 70 }), { ...added, minutes: 2 })).toEqual([]);
  expect(findWarnings(standing(budget, { minutes: 90 }, 81), { ...added, minutes: 2 })).toEqual([]);
});

test('what a call without an answer used would not be warned of, or be warned of again with the next', () => {
  const standings = standing({ tokens: 100, minutes: 10 }, { tokens: 70, minutes: 9 }, 7);
  const failed = { ...added, tokens: 10, minutes: 1 };
  // The warning about time comes with the next answer.
  expect(findCallWarnings(standings, failed)).toEqual(["80 tokens of the project's budget of 100 tokens are used"]);
  countIn(standings, failed);
  expect(findWarnings(standings, { ...added, tokens: 5, turns: 1 })).toEqual([
    "9 minutes of the project's budget of 10 minutes are used",
  ]);
});

test('a call of which nothing is known would stop a budget in dollars', () => {
  expect(findOverrun(standing({ usd: 5 }, { usd: 1, unknownCalls: 3 }))).toBeUndefined();
  expect(findOverrun(standing({ usd: 5 }, { usd: 1, unpricedTurns: 1 }))).toContain('without a known price');
});
