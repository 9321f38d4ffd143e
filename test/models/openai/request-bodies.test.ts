import { expect, test } from '@jest/globals';
import type { ModelMessage, ModelProvider, ModelRequest } from '../../../domain/model/model-provider.ts';
import { carry } from '../../../models/carried-order.ts';
import { createOpenAiChat } from '../../../models/openai/openai-chat.ts';
import { createOpenAiResponses } from '../../../models/openai/openai-responses.ts';

const user = (text: string): ModelMessage => ({ role: 'user', content: { text } });
const silent: ModelMessage = { role: 'assistant', content: { text: '' } };
const odd = ['\ud800 half, \udc00 half', '\0\u0001\u2028\n\t\b\u007f', '"\\/ \u{1f600} äß漢', '{"messages":[]}'];

/** A provider whose requests are all refused, and the bodies that it was asked with. */
function refusing(create: typeof createOpenAiChat) {
  const bodies: string[] = [];
  const types: unknown[] = [];
  const provider = create({
    name: 'openai',
    apiKey: 'k',
    headers: true,
    async fetch(_, init) {
      bodies.push(String(init?.body));
      types.push(new Headers(init?.headers).get('content-type'));
      return new Response('{}', { status: 400 });
    },
  });
  return { provider, bodies, types };
}

async function ask(provider: ModelProvider, messages: ModelMessage[], changes: Partial<ModelRequest> = {}) {
  const request = { model: 'm', messages, tools: [], labels: { Run: 'r' }, signal: new AbortController().signal };
  await expect(provider.complete({ ...request, ...changes })).rejects.toMatchObject({ code: 'ModelRequestRefused' });
}

const parameters = { type: 'object', properties: { messages: { type: 'array', default: [] } } };
const tool = { name: 'read_file', description: `Reads: ${odd.join()}`, parameters };
const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
const text = odd.join();
const settings = { tools: [tool], answerSchema: { name: 'report', schema }, maxOutputTokens: 9, temperature: 1 };

test('OpenAI chat: a request has these fields, in this order', async () => {
  const { provider, bodies, types } = refusing(createOpenAiChat);
  const call = { id: 'c', name: 'read_file', arguments: JSON.stringify({ text }) };
  const carried = { provider: 'openai/m', items: [{ reasoning_content: text }] };
  const messages: ModelMessage[] = [
    { role: 'system', content: { text } },
    user(text),
    { role: 'assistant', content: { text, toolCalls: [call], carried } },
    { role: 'tool', content: { text, toolCallId: 'c' } },
    silent,
  ];
  await ask(provider, messages, settings);
  const { id, ...asked } = call;
  const sent = {
    model: 'm',
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: text,
        reasoning_content: text,
        tool_calls: [{ id, type: 'function', function: asked }],
      },
      { role: 'tool', tool_call_id: id, content: text },
      { role: 'assistant', content: '(no answer)' },
    ],
    tools: [{ type: 'function', function: tool }],
    response_format: { type: 'json_schema', json_schema: { name: 'report', schema, strict: true } },
    max_completion_tokens: 9,
    temperature: 1,
    stream: true,
    stream_options: { include_usage: true },
  };
  expect(bodies).toEqual([JSON.stringify(sent)]);
  expect(types).toEqual(['application/json']);
});

test('OpenAI responses: a request has these fields, in this order', async () => {
  const { provider, bodies, types } = refusing(createOpenAiResponses);
  const call = { id: 'c', name: 'read_file', arguments: JSON.stringify({ text }) };
  const thought = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: text };
  const carried = carry('openai-responses', [{ item: thought }, { text }, { call }]);
  const messages: ModelMessage[] = [
    silent,
    user(text),
    { role: 'assistant', content: { text, toolCalls: [call], ...(carried && { carried }) } },
    { role: 'tool', content: { text, toolCallId: 'c' } },
  ];
  await ask(provider, messages, settings);
  const sent = {
    model: 'm',
    input: [
      { role: 'user', content: text },
      thought,
      { role: 'assistant', content: text },
      { type: 'function_call', call_id: 'c', name: call.name, arguments: call.arguments },
      { type: 'function_call_output', call_id: 'c', output: text },
    ],
    tools: [{ type: 'function', strict: false, ...tool }],
    text: { format: { type: 'json_schema', name: 'report', schema, strict: true } },
    max_output_tokens: 9,
    temperature: 1,
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  };
  expect(bodies).toEqual([JSON.stringify(sent)]);
  expect(types).toEqual(['application/json']);
});

test.each([
  ['OpenAI chat', createOpenAiChat],
  ['OpenAI responses', createOpenAiResponses],
])(
  '%s: the beginning of a conversation is sent as the same bytes with every call, so that prompt caches find it',
  async (_, create) => {
    const { provider, bodies } = refusing(create);
    const messages = odd.map(user);
    await ask(provider, messages);
    await ask(provider, [...messages, user('And now?')]);
    const [first = '', second = ''] = bodies;
    const last = JSON.stringify(odd.at(-1));
    const prefix = first.slice(0, first.lastIndexOf(last) + last.length);
    expect(prefix).toContain(JSON.stringify(odd[0]));
    expect(second.startsWith(prefix)).toBe(true);
  },
);
