import { expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { modelFailure } from '../../activities/model/model-failure.ts';

function failureOf(status: number, headers: Record<string, string> = {}, code?: string) {
  const body = { message: 'what the provider says', ...(code && { code }) };
  return modelFailure(OpenAI.APIError.generate(status, { error: body }, undefined, new Headers(headers)));
}

test.each([
  [429, 'ModelRateLimited', false],
  [500, 'ModelUnavailable', false],
  [503, 'ModelUnavailable', false],
  [408, 'ModelUnavailable', false],
  [401, 'ModelAuthentication', true],
  [403, 'ModelAuthentication', true],
  [400, 'ModelRequestRefused', true],
  [404, 'ModelRequestRefused', true],
])('HTTP %i is sorted as %s, final: %s', (status, type, nonRetryable) => {
  expect(failureOf(status)).toMatchObject({ type, nonRetryable });
});

test('Retry-After is waited for, but not for hours', () => {
  expect(failureOf(429, { 'retry-after': '7' }).nextRetryDelay).toBe(7000);
  expect(failureOf(429, { 'retry-after-ms': '250' }).nextRetryDelay).toBe(250);
  expect(failureOf(429, { 'retry-after': '86400' }).nextRetryDelay).toBe(60_000);
});

test('x-should-retry is believed', () => {
  expect(failureOf(500, { 'x-should-retry': 'false' })).toMatchObject({ nonRetryable: true });
  expect(failureOf(400, { 'x-should-retry': 'true' })).toMatchObject({ nonRetryable: false });
});

test('a quota that is spent is not asked again', () => {
  expect(failureOf(429, {}, 'insufficient_quota')).toMatchObject({ nonRetryable: true });
});

test("the provider's request id is shown", () => {
  expect(failureOf(500, { 'x-request-id': 'req_7' }).message).toContain('req_7');
});

test('a connection that failed may be tried again', () => {
  expect(modelFailure(new OpenAI.APIConnectionError({ cause: new Error('ECONNREFUSED') }))).toMatchObject({
    type: 'ModelUnavailable',
    nonRetryable: false,
  });
});
