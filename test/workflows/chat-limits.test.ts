import { expect, test } from '@jest/globals';
import { findReachedLimit } from '../../workflows/chat-limits.ts';

const limits = { modelCalls: 2, toolCalls: 3, tokens: 100 };

test('an answer would go on beyond a limit, or end before one is reached', () => {
  expect(findReachedLimit({ modelCalls: 1, toolCalls: 2, tokens: 99 }, limits)).toBeUndefined();
  for (const [spent, named] of [
    [{ modelCalls: 2, toolCalls: 0, tokens: 0 }, '2 model calls (`maxTurns.chat`)'],
    [{ modelCalls: 1, toolCalls: 3, tokens: 0 }, '3 tool calls (`chat.toolCalls`)'],
    [{ modelCalls: 1, toolCalls: 0, tokens: 120 }, '100 tokens (`chat.tokens`)'],
  ] as const) {
    expect(findReachedLimit(spent, limits)).toContain(named);
  }
});
