import { expect, test } from '@jest/globals';
import { ModelError, type ModelErrorCause } from '../../domain/model/model-error.ts';
import { usageOfFailure } from '../../models/failed-call.ts';

const failed = (why: ModelErrorCause, cause?: unknown) => new ModelError('It went wrong.', { why, cause });
const model = 'openai/gpt-5';

test.each([
  'rate-limited',
  'overloaded',
  'authentication',
  'model-not-found',
  'bad-request',
  'context-too-long',
  'quota-spent',
] as const)('a call that was turned away (%s) would look as if it might be on the bill', (why) => {
  const free = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 };
  expect(usageOfFailure(model, failed(why), undefined)).toMatchObject(free);
  expect(usageOfFailure('mine/without-a-price', failed(why), undefined)).toMatchObject(free);
});

test('a call that never left this machine would look as if it might be on the bill', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const fetchFailed = new TypeError('fetch failed', { cause: refused });
  expect(usageOfFailure(model, failed('connection', fetchFailed), undefined)).toMatchObject({ costUsd: 0 });
});

test.each([
  failed('server'),
  failed('timeout'),
  failed('connection', Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
  new Error('a person stopped it'),
])('a call that somebody may have worked on would cost nothing: %s', (error) => {
  expect(usageOfFailure(model, error, undefined)).toMatchObject({
    usage: { inputTokens: null, outputTokens: null },
    costUsd: null,
  });
});

test('what was counted before an answer broke off would be lost, or the rest be taken for nothing', () => {
  const broken = failed('overloaded');
  expect(usageOfFailure(model, broken, {})).toMatchObject({ usage: { inputTokens: null }, costUsd: null });
  expect(usageOfFailure(model, broken, { inputTokens: 1_000_000, cachedTokens: 0 })).toEqual({
    usage: {
      inputTokens: 1_000_000,
      cachedTokens: 0,
      cacheWriteTokens: null,
      outputTokens: null,
      reasoningTokens: null,
    },
    costUsd: null,
  });
  const whole = { inputTokens: 1_000_000, outputTokens: 100_000 };
  expect(usageOfFailure(model, broken, whole).costUsd).toBeCloseTo(1.25 + 1);
  expect(usageOfFailure('mine/without-a-price', broken, whole).costUsd).toBeNull();
});
