import { expect, test } from '@jest/globals';
import { fitEarlier, roomForEarlier } from '../../../activities/compaction/choose-fit.ts';
import { estimateTokens, withSummary } from '../../../activities/compaction/fit-context.ts';
import { findLastCall } from '../../../domain/chat/limits.ts';
import type { Message } from '../../../domain/run/message.ts';

/** A chat of this many exchanges of about 500 tokens each, and one more message by a person. */
function chat(exchanges: number, said = 100): Message[] {
  const messages: Message[] = [{ number: 0, turn: 0, role: 'system', content: { text: 'You chat.' } }];
  const add = (turn: number, role: 'user' | 'assistant', length: number) =>
    messages.push({ number: messages.length, turn, role, content: { text: 'x'.repeat(length) } });
  for (let turn = 1; turn <= exchanges; turn += 1) {
    add(turn, 'user', 350);
    add(turn, 'assistant', 1_400);
  }
  add(exchanges + 1, 'user', said);
  return messages;
}

const answerTokens = 100_000;
const room = roomForEarlier(answerTokens);
const fitted = (messages: Message[]) => fitEarlier(messages, -1, estimateTokens(messages), room);

test('a long chat leaves tokens for an answer', () => {
  const messages = chat(300); // 150,000 tokens
  const upToMessage = fitted(messages).summarizeUpTo ?? -1;
  const kept = messages.filter(({ number, turn }) => turn === 0 || number > upToMessage);
  const shown = withSummary({ messages: kept, summary: { upToMessage, turn: 301, shown: 's'.repeat(7_000) } });
  expect(fitted(shown)).toEqual({});
  expect(shown.at(-1)?.content.text).toBe(messages.at(-1)?.content.text);
  const call = estimateTokens(shown) + 4_000; // for the tool declarations
  const limits = { modelCalls: 15, toolCalls: 30, tokens: answerTokens };
  const calls = [1, 2, 3, 4].map((count) => ({ modelCalls: count, toolCalls: count, tokens: count * call }));
  expect(calls.map((spent) => findLastCall(spent, call, limits))).toEqual(calls.map(() => undefined));
});

test('a short chat is not summarized, nor is the message being answered', () => {
  expect(fitted(chat(20))).toEqual({});
  expect(fitted(chat(0, 190_000))).toEqual({});
  expect(fitted(chat(20, 190_000))).toEqual({});
  const messages = chat(300, 190_000);
  expect(fitted(messages).summarizeUpTo).toBeLessThan(messages.length - 1);
});
