import { expect, test } from '@jest/globals';
import { isSameBudgets } from '../../../domain/project/same-budgets.ts';

test('budgets that came by another way would pass for others, or a raised one for the same', () => {
  const budgets = { project: { usd: 20, turns: 5 }, run: { tokens: 10 } };
  expect(isSameBudgets(budgets, { run: { tokens: 10 }, project: { turns: 5, usd: 20 }, session: {} })).toBe(true);
  expect(isSameBudgets(budgets, { ...budgets, project: { usd: 20, turns: 6 } })).toBe(false);
  expect(isSameBudgets(budgets, { project: budgets.project })).toBe(false);
  expect(isSameBudgets({}, budgets)).toBe(false);
});
