import { expect, test } from '@jest/globals';
import {
  findLastCall,
  findReachedLimit,
  limitsOfAgent,
  limitsOfSettings,
  limitsOfTask,
} from '../../../domain/chat/limits.ts';

const limits = { modelCalls: 2, toolCalls: 3, tokens: 100 };

test('an answer ends exactly at its limit', () => {
  expect(findReachedLimit({ modelCalls: 1, toolCalls: 2, tokens: 99 }, limits)).toBeUndefined();
  for (const [spent, named] of [
    [{ modelCalls: 2, toolCalls: 0, tokens: 0 }, '2 model calls (`maxTurns.chat`)'],
    [{ modelCalls: 1, toolCalls: 3, tokens: 0 }, '3 tool calls (`chat.toolCalls`)'],
    [{ modelCalls: 1, toolCalls: 0, tokens: 120 }, '100 tokens (`chat.tokens`)'],
  ] as const) {
    expect(findReachedLimit(spent, limits)).toContain(named);
  }
});

test('a limit names the setting that a person would change', () => {
  const spent = { modelCalls: 2, toolCalls: 0, tokens: 0 };
  const namedBy = (origin: typeof limitsOfSettings) => findReachedLimit(spent, { ...limits, origin });
  const ofAgent = limitsOfAgent({ name: 'planner', limits: { modelCalls: 2 } });
  expect(namedBy(ofAgent)).toBe(
    'The message reached its limit of 2 model calls (`limits.modelCalls` of the agent planner).',
  );
  expect(ofAgent.tokens).toBe('`chat.tokens`');
  expect(namedBy(limitsOfTask(limitsOfSettings))).toBe(
    'The task reached its limit of 2 model calls (half of `maxTurns.chat`).',
  );
});

test('the model is told in time to say what it found', () => {
  expect(findLastCall({ modelCalls: 0, toolCalls: 2, tokens: 40 }, 40, limits)).toBeUndefined();
  for (const [spent, latest, named] of [
    [{ modelCalls: 1, toolCalls: 0, tokens: 0 }, 0, '2 model calls'],
    [{ modelCalls: 0, toolCalls: 3, tokens: 0 }, 0, '3 tool calls'],
    [{ modelCalls: 0, toolCalls: 0, tokens: 60 }, 40, '100 tokens'],
  ] as const) {
    expect(findLastCall(spent, latest, limits)).toContain(named);
  }
});
