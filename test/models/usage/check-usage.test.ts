import { expect, test } from '@jest/globals';
import type { ModelUsage } from '../../../domain/model/model-provider.ts';
import { checkUsage, possibleCounts } from '../../../models/usage/check-usage.ts';

/** 3,500 characters in, 700 out: about 1,000 and 200 tokens. */
const request = { messages: [{ role: 'user' as const, content: { text: 'x'.repeat(3_500) } }], tools: [] };
const answer = { text: 'y'.repeat(696), toolCalls: [{ id: 'a', name: 'f', arguments: '{ }' }] };
const counted = { inputTokens: 900, cachedTokens: 500, cacheWriteTokens: 100, outputTokens: 150, reasoningTokens: 50 };

const check = (changes: Partial<ModelUsage>) => checkUsage({ ...counted, ...changes }, request, answer);

test('counts that can be are believed, also far above an estimate', () => {
  expect(check({})).toEqual({ usage: counted, isEstimated: false });
  expect(check({ outputTokens: 90_000, reasoningTokens: 89_000 })).toMatchObject({ isEstimated: false });
  expect(check({ inputTokens: 600, outputTokens: 50 })).toMatchObject({ isEstimated: false });
});

test.each([-95, Number.NaN, 0, 1.5, 2 ** 53, Number.POSITIVE_INFINITY, 249, '900' as unknown as number])(
  'a count of %p is replaced by the estimate, and marked',
  (count) => {
    expect(check({ inputTokens: count })).toMatchObject({ usage: { inputTokens: 1_000 }, isEstimated: true });
    const out = typeof count === 'number' && count > 200 && count < 1_000 ? 49 : count;
    expect(check({ outputTokens: out })).toMatchObject({ usage: { outputTokens: 200 }, isEstimated: true });
  },
);

test('a part is never more than the whole, so that no cost is negative', () => {
  expect(check({ cachedTokens: 901 })).toMatchObject({ usage: { cachedTokens: 0 }, isEstimated: true });
  expect(check({ cacheWriteTokens: 401 })).toMatchObject({ usage: { cacheWriteTokens: 0 }, isEstimated: true });
  expect(check({ reasoningTokens: 151 })).toMatchObject({ usage: { reasoningTokens: 0 }, isEstimated: true });
  expect(check({ cachedTokens: -1 })).toMatchObject({ usage: { cachedTokens: 0 }, isEstimated: true });
});

test('nothing said may count as nothing', () => {
  const { usage, isEstimated } = checkUsage({ ...counted, outputTokens: 0, reasoningTokens: 0 }, request, {
    text: '',
    toolCalls: [],
  });
  expect([usage.outputTokens, isEstimated]).toEqual([0, false]);
});

test('of a call that broke off, what cannot be counts as unknown', () => {
  expect(possibleCounts({ inputTokens: 12, outputTokens: -3, cachedTokens: Number.NaN })).toEqual({ inputTokens: 12 });
});
