import { expect, test } from '@jest/globals';
import { ModelError, type ModelErrorCode } from '../../../domain/model/model-error.ts';
import { usageOfFailure } from '../../../models/usage/failed-call.ts';

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
] as const)('a call that was refused (%s) costs nothing', (code) => {
  const free = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 };
  expect(usageOfFailure(model, failed(code), undefined)).toMatchObject(free);
  expect(usageOfFailure('mine/without-a-price', failed(code), undefined)).toMatchObject(free);
});

test('a call that never left this machine costs nothing', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const fetchFailed = new TypeError('fetch failed', { cause: refused });
  expect(usageOfFailure(model, failed('ModelUnreachable', fetchFailed), undefined)).toMatchObject({ costUsd: 0 });
});

test.each([
  failed('ModelServerError'),
  failed('ModelTimeout'),
  failed('ModelUnreachable', Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
  new Error('a person stopped it'),
])('a call that may have been worked on has unknown cost: %s', (error) => {
  expect(usageOfFailure(model, error, undefined)).toMatchObject({
    usage: { inputTokens: null, outputTokens: null },
    costUsd: null,
  });
});

test('tokens counted before an answer broke off are kept, and the rest is unknown', () => {
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
