import { expect, test } from '@jest/globals';
import { clip, renderConversation } from '../../../activities/compaction/render-conversation.ts';
import type { Message } from '../../../domain/run/message.ts';

function result(number: number, text: string): Message {
  return { number, turn: number, role: 'tool', content: { text, toolCallId: `c${number}` } };
}

test('one message too large for the summarizer does not push out the others', () => {
  const messages = [result(1, 'first'), result(2, 'x'.repeat(1_000_000)), result(3, 'last')];
  const text = renderConversation(messages, 30_000);
  expect(text.length).toBeLessThanOrEqual(30_000);
  expect(text).toMatch(/^\[message 1, turn 1: tool result\]\nfirst\n\n.*characters left out.*\nlast$/s);
});

test('messages whose beginnings do not fit are omitted', () => {
  const messages = Array.from({ length: 5_000 }, (_, index) => result(index, `result ${index} ${'y'.repeat(200)}`));
  const text = renderConversation(messages, 50_000);
  expect(text.length).toBeLessThan(50_100);
  expect(text).toContain('[message 4999,');
});

test('calls are shown, and characters stay whole', () => {
  const toolCalls = [{ id: '1', name: 'write_file', arguments: '\u{1F600}'.repeat(50_000) }];
  const text = renderConversation(
    [{ number: 2, turn: 1, role: 'assistant', content: { text: 'I write.', toolCalls } }],
    40_001,
  );
  expect(text).toMatch(/^\[message 2, turn 1: the agent\]\nI write\.\ncalls write_file /);
  expect(text.isWellFormed()).toBe(true);
  expect(clip('short', 10)).toBe('short');
});
