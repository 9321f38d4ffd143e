import { expect, test } from '@jest/globals';
import { formatCost } from '../../../client/format/cost.ts';
import { formatCount, formatTokens } from '../../../client/format/count.ts';
import { formatDuration } from '../../../client/format/time.ts';

test.each([
  [0, '0.0 s'],
  [9_949, '9.9 s'],
  [59_499, '59 s'],
  [59_999, '1 min 00 s'],
  [3_599_400, '59 min 59 s'],
  [3_600_000, '1 h 00 min'],
  [90_000_000, '1 d 01 h'],
])('%d ms is shown in the right unit', (milliseconds, shown) => {
  expect(formatDuration(milliseconds)).toBe(shown);
});

test.each([
  [999, '999'],
  [1_000, '1.0k'],
  [999_949, '999.9k'],
  [999_950, '1.0M'],
])('%d tokens are not shown as 1000.0k', (value, shown) => {
  expect(formatCount(value)).toBe(shown);
});

test.each([
  [{ usd: 0.25, unpricedTurns: 0, unknownCalls: 0 }, '$0.250'],
  [{ usd: 0, unpricedTurns: 3, unknownCalls: 0 }, 'unknown'],
  [{ usd: 0, unpricedTurns: 0, unknownCalls: 1 }, '$0.000, and 1 call without an answer, whose cost is unknown'],
  [{ usd: 0, unpricedTurns: 3, unknownCalls: 2 }, 'unknown, and 2 calls without an answer, whose cost is unknown'],
  [
    { usd: 1.5, unpricedTurns: 3, unknownCalls: 2 },
    '$1.50, and 3 turns without a known price and 2 calls without an answer, whose cost is unknown',
  ],
])('unknown parts of the cost of %j are named', (cost, shown) => {
  expect(formatCost(cost)).toBe(shown);
});

test('uncounted tokens are not shown as none', () => {
  expect([formatTokens(null), formatTokens(0)]).toEqual(['?', '0']);
});
