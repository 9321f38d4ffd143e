import { expect, test } from '@jest/globals';
import type { ModelMessage } from '../../../domain/model/model-provider.ts';
import { sendableCall, sendableId } from '../../../models/conversation/sendable-call.ts';
import { createOpenAiChat } from '../../../models/openai/openai-chat.ts';

test.each([
  ['{"path":"a"}', '{"path":"a"}'],
  ['{ "path" : 1 }', '{ "path" : 1 }'], // unchanged, so that caches match
  ['', '{}'],
  ['{"path": "a', '{"not_json":"{\\"path\\": \\"a"}'],
  ['["a"]', '{"not_json":"[\\"a\\"]"}'],
  ['null', '{"not_json":"null"}'],
])('the arguments %j are sent in a form that servers accept', (given, sent) => {
  const call = { name: 'read_file', arguments: given };
  expect(sendableCall(call).arguments).toBe(sent);
  expect(sendableCall(call).arguments).toBe(sent); // the same each time
});

test.each([
  ['read_file', 'read_file'],
  ['multi_tool_use.parallel', 'multi_tool_use_parallel'],
  ['', 'unknown'],
  ['x'.repeat(70), 'x'.repeat(64)],
])('the name %j is sent in a form that servers accept', (given, sent) => {
  expect(sendableCall({ name: given, arguments: '{}' }).name).toBe(sent);
});

test('ids stay different, and a call and its result keep the same id', () => {
  expect(sendableId('call_1', 40)).toBe('call_1');
  const odd = ['a.b:0', 'a:b.0', 'a_b_0', 'x'.repeat(41), `${'x'.repeat(40)}y`, ''];
  const sent = odd.map((id) => sendableId(id, 40));
  expect(new Set(sent).size).toBe(odd.length);
  for (const id of sent) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
  expect(odd.map((id) => sendableId(id, 40))).toEqual(sent);
});

test('OpenAI gets ids that it accepts, and a server gets back its own', async () => {
  const id = 'call_1__thought__c2lnbmVkIHRob3VnaHQgb2YgYW5vdGhlciBwcm92aWRlcg==';
  const messages: ModelMessage[] = [
    { role: 'assistant', content: { text: '', toolCalls: [{ id, name: 'read_file', arguments: '{}' }] } },
    { role: 'tool', content: { text: 'So it is.', toolCallId: id } },
  ];
  async function idsSentTo(baseUrl?: string): Promise<string[]> {
    let body = '';
    const provider = createOpenAiChat({
      name: 'openai',
      apiKey: 'k',
      baseUrl,
      headers: false,
      async fetch(_, init) {
        body = String(init?.body);
        return new Response('{}', { status: 400 });
      },
    });
    const request = { model: 'm', messages, tools: [], labels: {}, signal: new AbortController().signal };
    await expect(provider.complete(request)).rejects.toMatchObject({ code: 'ModelRequestRefused' });
    const [asked, answered] = JSON.parse(body).messages;
    return [asked.tool_calls[0].id, answered.tool_call_id];
  }
  for (const itself of [undefined, 'https://api.openai.com/v1']) {
    const [asked, answered] = await idsSentTo(itself);
    expect(asked).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(answered).toBe(asked);
  }
  expect(await idsSentTo('http://127.0.0.1:9/v1')).toEqual([id, id]);
});
