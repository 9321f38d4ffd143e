import { expect, test } from '@jest/globals';
import { chooseFit, findCutOfTooLong } from '../../../activities/compaction/choose-fit.ts';
import { estimateTokens, withSummary } from '../../../activities/compaction/fit-context.ts';
import type { Message } from '../../../domain/run/message.ts';
import { toAnthropicMessages } from '../../../models/anthropic/anthropic-messages.ts';

/** A short task followed by turns of two calls each; `said` and `result` are the total characters of the arguments and results of one turn. */
function conversation(turns: Array<{ said?: number; result?: number }>, task = 100): Message[] {
  const messages: Message[] = [
    { number: 0, turn: 0, role: 'system', content: { text: 's'.repeat(task) } },
    { number: 1, turn: 0, role: 'user', content: { text: 't'.repeat(task) } },
  ];
  for (const [index, { said = 10, result = 10 }] of turns.entries()) {
    const turn = index + 1;
    const toolCalls = ['a', 'b'].map((name) => ({ id: `${turn}${name}`, name, arguments: 'x'.repeat(said / 2) }));
    const carried = { provider: 'anthropic', items: [{ type: 'thinking', thinking: `${turn}`, signature: 's' }] };
    messages.push({ number: messages.length, turn, role: 'assistant', content: { text: '', toolCalls, carried } });
    for (const { id } of toolCalls) {
      const content = { text: 'y'.repeat(result / 2), toolCallId: id };
      messages.push({ number: messages.length, turn, role: 'tool', content });
    }
  }
  return messages;
}

const many = (count: number, turn: { said?: number; result?: number }) => Array.from({ length: count }, () => turn);
/** The size of a window of which the conversation fills this share. */
const windowFor = (messages: Message[], share: number) => Math.floor(estimateTokens(messages) / share);
const fitted = (messages: Message[], share: number) =>
  chooseFit(messages, -1, estimateTokens(messages), windowFor(messages, share));

test('a conversation that fits is left unchanged', () => {
  expect(fitted(conversation(many(20, { result: 9_000 })), 0.59)).toEqual({});
});

test('results are shortened before anything is summarized', () => {
  expect(fitted(conversation(many(20, { result: 9_000 })), 0.9)).toEqual({ shortenUpTo: 2 + 14 * 3 - 1 });
});

test("if the agent's own words fill the window, they are summarized", () => {
  const messages = conversation(many(20, { said: 9_000 }));
  const { summarizeUpTo = -1 } = fitted(messages, 0.8);
  const kept = messages.filter(({ number }) => number > summarizeUpTo);
  const window = windowFor(messages, 0.8);
  expect(estimateTokens(kept)).toBeLessThanOrEqual(0.25 * window);
  expect(estimateTokens(kept)).toBeGreaterThan(0.15 * window); // no further turn would have fit
});

test('a call stays with its result, and with the thoughts of its turn', () => {
  for (let turns = 2; turns <= 40; turns += 1) {
    const messages = conversation(many(turns, { said: 3_000 + 200 * (turns % 7), result: 400 }));
    const upToMessage = fitted(messages, 0.8).summarizeUpTo;
    if (upToMessage === undefined) throw new Error(`Expected a cut of ${turns} turns.`);
    const kept = messages.filter(({ number, turn }) => turn === 0 || number > upToMessage);
    const calls = kept.flatMap(({ content }) => content.toolCalls?.map(({ id }) => id) ?? []);
    expect(kept.flatMap(({ content }) => content.toolCallId ?? [])).toEqual(calls);
    expect(calls.length).toBeGreaterThan(0);
    const shown = withSummary({ messages: kept, summary: { upToMessage, turn: turns + 1, shown: 'SUMMARY' } });
    const sent = toAnthropicMessages(shown).messages;
    expect(sent.map(({ role }) => role)).toEqual(sent.map((_, index) => (index % 2 ? 'assistant' : 'user')));
    const [first, answer] = sent;
    expect(JSON.stringify(first?.content)).toMatch(/t{100}\\n\\nSUMMARY/);
    expect(answer?.content).toContainEqual(expect.objectContaining({ type: 'thinking', signature: 's' }));
  }
});

test('a result larger than the window is shortened, and earlier messages stay', () => {
  const messages = conversation([...many(8, {}), { result: 400_000 }]);
  expect(fitted(messages, 1.5)).toEqual({ shortenUpTo: messages.length - 1 });
});

test('an answer larger than the window is not sent again', () => {
  const messages = conversation([...many(3, {}), { said: 400_000 }]);
  expect(fitted(messages, 1.5)).toEqual({ summarizeUpTo: messages.length - 1 });
});

test('a task that fills the window by itself is not summarized', () => {
  const messages = conversation(many(4, { said: 500 }), 200_000);
  expect(fitted(messages, 0.9).summarizeUpTo).toBeUndefined();
  expect(findCutOfTooLong(messages)).toBeUndefined();
});

test('a conversation too long for an unknown window is shortened', () => {
  const messages = conversation(many(20, { said: 1_000 }));
  const cut = findCutOfTooLong(messages) ?? -1;
  const kept = messages.filter(({ number }) => number > cut);
  expect(estimateTokens(kept) / estimateTokens(messages)).toBeLessThanOrEqual(0.25);
  expect(findCutOfTooLong(conversation([{ said: 50_000 }]))).toBe(4);
  expect(findCutOfTooLong(conversation([]))).toBeUndefined();
});
