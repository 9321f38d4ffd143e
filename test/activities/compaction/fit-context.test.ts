import { expect, test } from '@jest/globals';
import {
  estimateTokens,
  lastOldMessage,
  shortenOutput,
  withSummary,
} from '../../../activities/compaction/fit-context.ts';
import type { Message } from '../../../domain/run/message.ts';

const long = 'x'.repeat(5_000);

/** Two messages before the first turn, then one call and its result per turn. */
function conversation(turns: number, result = long): Message[] {
  const messages: Message[] = [
    { number: 0, turn: 0, role: 'system', content: { text: long } },
    { number: 1, turn: 0, role: 'user', content: { text: long } },
  ];
  for (let turn = 1; turn <= turns; turn += 1) {
    const call = { id: `c${turn}`, name: 'read_file', arguments: long };
    messages.push({ number: 2 * turn, turn, role: 'assistant', content: { text: '', toolCalls: [call] } });
    const content = { text: `${turn} ${result}`, toolCallId: `c${turn}` };
    messages.push({ number: 2 * turn + 1, turn, role: 'tool', content });
  }
  return messages;
}

test("the task, the agent's words and its latest turns are not shortened", () => {
  const messages = conversation(10);
  const upTo = lastOldMessage(messages);
  expect(upTo).toBe(9); // the last message of turn 4
  const shortened = shortenOutput(messages, upTo).filter((message, index) => message !== messages[index]);
  expect(shortened.map(({ number }) => number)).toEqual([3, 5, 7, 9]);
});

test('a shortened result says how to read the rest', () => {
  const [shown] = shortenOutput(conversation(1), 3).slice(-1);
  expect(shown?.content.text).toMatch(
    /^1 x+\n\[\.\.\. 3802 characters of this older result left out; read_output with message 3 .*\]\nx{600}$/,
  );
  expect(shown?.content.toolCallId).toBe('c1');
});

test('the cached part of a conversation does not change between turns', () => {
  const text = (turns: number) => JSON.stringify(shortenOutput(conversation(turns), 9));
  const common = text(10).slice(0, -1); // drops the closing bracket
  for (const turns of [11, 12, 20]) expect(text(turns).slice(0, common.length)).toBe(common);
});

test('a short result is not replaced by a longer note', () => {
  const messages = conversation(2, 'y'.repeat(1_300));
  expect(shortenOutput(messages, 100)).toEqual(messages);
});

test('a character beyond the basic plane is not cut in two', () => {
  const [shown] = shortenOutput(conversation(1, '\u{1F600}'.repeat(2_000)), 3).slice(-1);
  expect(shown?.content.text.isWellFormed()).toBe(true);
});

test("the provider's token count replaces the estimate", () => {
  const messages = conversation(3);
  const all = estimateTokens(messages);
  expect(all).toBeGreaterThan((8 * 5_000) / 4);
  // Only the result of turn 3 came after the count.
  expect(estimateTokens(messages, { turn: 3, tokens: 10_000 })).toBe(10_000 + Math.ceil(5_002 / 3.5));
});

test("a person's message is counted once", () => {
  const messages: Message[] = [
    { number: 0, turn: 0, role: 'system', content: { text: 'You chat.' } },
    { number: 1, turn: 1, role: 'user', content: { text: long } },
    { number: 2, turn: 1, role: 'assistant', content: { text: 'I have read it.' } },
    { number: 3, turn: 2, role: 'user', content: { text: 'x'.repeat(70) } },
  ];
  expect(estimateTokens(messages, { turn: 1, tokens: 10_000 })).toBe(10_020);
  // The answer was counted, but not kept.
  expect(estimateTokens(messages, { turn: 2, tokens: 10_000 })).toBe(10_000);
});

test('a summary stands where every server accepts it', () => {
  const summary = { upToMessage: 5, turn: 3, shown: 'What was.' };
  const show = (messages: Message[]) =>
    withSummary({ messages, summary }).map(({ role, content }) => [role, content.text.slice(0, 30)]);
  const system: Message = { number: 0, turn: 0, role: 'system', content: { text: 'You chat.' } };
  const task: Message = { number: 1, turn: 0, role: 'user', content: { text: 'Do it.' } };
  const said: Message = { number: 6, turn: 3, role: 'user', content: { text: 'And now?' } };
  const answer: Message = { number: 7, turn: 3, role: 'assistant', content: { text: 'Now this.' } };
  expect(show([system, task, answer])).toEqual([
    ['system', 'You chat.'],
    ['user', 'Do it.\n\nWhat was.'],
    ['assistant', 'Now this.'],
  ]);
  expect(show([system, said, answer])).toEqual([
    ['system', 'You chat.'],
    ['user', 'What was.\n\nAnd now?'],
    ['assistant', 'Now this.'],
  ]);
  expect(show([system, answer])).toEqual([
    ['system', 'You chat.'],
    ['user', 'What was.'],
    ['assistant', 'Now this.'],
  ]);
});
