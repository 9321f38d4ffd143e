import { expect, test } from '@jest/globals';
import { createAnthropic } from '../../models/anthropic/anthropic.ts';
import { checkAnswer } from '../../models/check-answer.ts';
import { createOpenAiChat } from '../../models/openai/openai-chat.ts';

type Create = typeof createOpenAiChat;

/** Asks a server that streams these events. */
function ask(events: object[], create: Create = createOpenAiChat) {
  const body = events.map((event) => {
    const name = 'type' in event ? `event: ${event.type}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  const fetch = async () => new Response(body.join(''), { headers: { 'content-type': 'text/event-stream' } });
  const provider = create({ name: 'local', baseUrl: 'http://127.0.0.1:9/v1', headers: false, fetch });
  const { signal } = new AbortController();
  return provider.complete({ model: 'm', messages: [], tools: [], labels: {}, signal });
}

const saying = (...deltas: object[]) => deltas.map((delta) => ({ choices: [{ delta }] }));
const calling = (id: unknown, name: unknown, given: unknown) =>
  saying({ tool_calls: [{ index: 0, id, function: { name, arguments: given } }] });
const end = { choices: [{ delta: {}, finish_reason: 'stop' }] };

test.each([
  ['the arguments of a call', calling('a', 'f', {})],
  ['the name of a call', calling('a', 7, '{}')],
  ['the id of a call', calling({ a: 1 }, 'f', '{}')],
  ['a thought', saying({ reasoning: 5 })],
  ['a word', saying({ content: { text: 5 } })],
])('something else in place of %s is an unreadable answer', async (_what, events) => {
  await expect(ask([...events, end])).rejects.toMatchObject({
    code: 'ModelUnreachable',
    message: expect.stringContaining("The model's answer was cut off or unreadable: "),
  });
});

test('so it is from a server of another protocol', async () => {
  const block = { type: 'tool_use', id: 5, name: 'f' };
  const events = [{ type: 'content_block_start', index: 0, content_block: block }, { type: 'message_stop' }];
  await expect(ask(events, createAnthropic)).rejects.toMatchObject({ code: 'ModelUnreachable' });
});

test.each([
  ['names', calling('a', 'x'.repeat(2_000_001), '{}')],
  ['ids', calling('x'.repeat(2_000_001), 'f', '{}')],
  ['what is carried along', saying({ reasoning_details: [{ type: 'encrypted', data: 'x'.repeat(2_000_001) }] })],
])('%s count as characters of an answer', async (_what, events) => {
  await expect(ask([...events, end])).rejects.toMatchObject({ code: 'ModelAnswerTooLong' });
});

test('an answer as it should be passes', () => {
  const toolCalls = [{ id: 'a', name: 'f', arguments: 'x'.repeat(1_000_000) }];
  const carried = { provider: 'local/m', items: [{ reasoning: 'x'.repeat(900_000) }] };
  expect(() => checkAnswer({ text: 'Done.', toolCalls, carried })).not.toThrow();
});
