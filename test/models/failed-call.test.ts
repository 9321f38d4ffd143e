import { expect, test } from '@jest/globals';
import { ModelError, type ModelErrorCode } from '../../domain/model/model-error.ts';
import { usageOfFailure } from '../../models/failed-call.ts';

const failed = (code: ModelErrorCode, cause?: unknown) => new ModelError('It went wrong.', { code, cause });
const model = 'openai/gpt-5';

test.each([
  'ModelRateLimited',
  'ModelOverloaded',
  'ModelAuthentication',
  'ModelNotFound',
  'ModelRequestRefused',
  'ModelContextTooLong',
  'ModelQuotaSpent',
] as const)('a call that was turned away (%s) would look as if it might be on the bill', (code) => {
  const free = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 };
  expect(usageOfFailure(model, failed(code), undefined)).toMatchObject(free);
  expect(usageOfFailure('mine/without-a-price', failed(code), undefined)).toMatchObject(free);
});

test('a call that never left this machine would look as if it might be on the bill', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const fetchFailed = new TypeError('fetch failed', { cause: refused });
  expect(usageOfFailure(model, failed('ModelUnreachable', fetchFailed), undefined)).toMatchObject({ costUsd: 0 });
});

test.each([
  failed('ModelServerError'),
  failed('ModelTimeout'),
  failed('ModelUnreachable', Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
  new Error('a person stopped it'),
])('a call that somebody may have worked on would cost nothing: %s', (error) => {
  expect(usageOfFailure(model, error, undefined)).toMatchObject({
    usage: { inputTokens: null, outputTokens: null },
    costUsd: null,
  });
});

test('what was counted before an answer broke off would be lost, or the rest be taken for nothing', () => {
  const broken = failed('ModelOverloaded');
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
