import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { expect, test } from '@jest/globals';
import type { ModelMessage } from '../../../domain/model/model-provider.ts';
import { AnthropicAnswer } from '../../../models/anthropic/anthropic-answer.ts';
import { toAnthropicMessages } from '../../../models/anthropic/anthropic-messages.ts';

const turn = (id: string): ModelMessage[] => [
  { role: 'assistant', content: { text: '', toolCalls: [{ id, name: 'read_file', arguments: '{}' }] } },
  { role: 'tool', content: { text: 'So it is.', toolCallId: id } },
];

/** The places of the messages at which the prompt cache is asked to keep the conversation. */
function marks(transcript: ModelMessage[]): Array<string | number> {
  const { system, messages } = toAnthropicMessages(transcript);
  const isMarked = (block: object | undefined) => JSON.stringify(block)?.includes('{"type":"ephemeral"}');
  return [
    ...(Array.isArray(system) && isMarked(system.at(-1)) ? ['system'] : []),
    ...messages.flatMap(({ content }, place) => (isMarked((content as object[]).at(-1)) ? [place] : [])),
  ];
}

test('what one turn sent is in the cache for the next', () => {
  const asked: ModelMessage[] = [
    { role: 'system', content: { text: 'You write reports.' } },
    { role: 'user', content: { text: 'Write one.' } },
  ];
  expect(marks(asked)).toEqual(['system', 0]);
  const second = [...asked, ...turn('a')];
  expect(marks(second)).toEqual(['system', 0, 2]); // the earlier mark is where the previous request ended
  expect(marks([...second, ...turn('b')])).toEqual(['system', 2, 4]);
});

test('thoughts of every kind come back unchanged and in their place', () => {
  const blocks = [
    { type: 'thinking', thinking: 'First a.', signature: 's1' },
    { type: 'text', text: 'I look ' },
    { type: 'tool_use', id: 'a', name: 'read_file', input: {} },
    { type: 'redacted_thinking', data: 'secret' },
    { type: 'text', text: 'at both.' },
    { type: 'thinking', thinking: 'Then b.', signature: 's2' },
    { type: 'tool_use', id: 'b', name: 'read_file', input: {} },
  ];
  const brokenOff = { type: 'thinking', thinking: 'And', signature: '' };
  const answer = new AnthropicAnswer();
  [...blocks, brokenOff].forEach((block, index) => {
    answer.take({ type: 'content_block_start', index, content_block: block } as RawMessageStreamEvent);
  });
  answer.take({ type: 'message_stop' });
  const { text, toolCalls, carried } = answer.answer(null);
  const content = { text, toolCalls, ...(carried && { carried }) };
  const { messages } = toAnthropicMessages([
    { role: 'assistant', content },
    { role: 'tool', content: { text: '', toolCallId: 'a' } },
    { role: 'tool', content: { text: '', toolCallId: 'b' } },
  ]);
  expect(messages[0]?.content).toEqual(blocks);
});

test.each([
  [[], 'It could help an attack.'],
  [[{ type: 'text', text: 'I will' }], 'I will'],
])('a refusal is shown with its reason: %j', (blocks, text) => {
  const answer = new AnthropicAnswer();
  const events = [
    ...blocks.map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
    {
      type: 'message_delta',
      delta: { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'It could help an attack.' } },
      usage: {},
    },
    { type: 'message_stop' },
  ];
  const deltas = events.map((event) => answer.take(event as RawMessageStreamEvent));
  expect(answer.answer(null)).toMatchObject({ text, finish: 'refusal' });
  expect(deltas.filter((delta) => delta !== undefined)).toEqual([{ type: 'text', text }]); // as it is shown
});

test('a transcript without stored places keeps its calls', () => {
  const items = [{ type: 'thinking', thinking: 'First.', signature: 's' }];
  const toolCalls = [{ id: 'a', name: 'read_file', arguments: '{}' }];
  const content = { text: 'Both.', toolCalls, carried: { provider: 'anthropic', items } };
  const { messages } = toAnthropicMessages([{ role: 'assistant', content }, ...turn('a').slice(1)]);
  expect(messages[0]?.content).toEqual([
    ...items,
    { type: 'text', text: 'Both.' },
    { type: 'tool_use', id: 'a', name: 'read_file', input: {} },
  ]);
});

test('instructions of white space are not sent', () => {
  expect(toAnthropicMessages([{ role: 'system', content: { text: '\n' } }])).not.toHaveProperty('system');
});
