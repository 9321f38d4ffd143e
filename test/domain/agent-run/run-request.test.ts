import { expect, test } from '@jest/globals';
import { defaultAgentRunLimits, findReachedRunLimit, retryPause } from '../../../domain/agent-run/run-request.ts';

test('each pause before a retry is twice as long as the one before, up to 300 s', () => {
  const pauses = [2, 3, 4, 9, 10, 11, 500].map((attempt) => retryPause(attempt, 1000));
  expect(pauses).toEqual([1000, 2000, 4000, 128_000, 256_000, 300_000, 300_000]);
});

test('a run that has reached a limit says which', () => {
  const limits = { ...defaultAgentRunLimits, toolCalls: 3 };
  expect(findReachedRunLimit({ modelCalls: 2, toolCalls: 2, tokens: 10 }, limits)).toBeUndefined();
  expect(findReachedRunLimit({ modelCalls: 2, toolCalls: 3, tokens: 10 }, limits)).toBe(
    'The run reached its limit of 3 tool calls (`limits.toolCalls`).',
  );
});
