import { describe, expect, test } from '@jest/globals';
import type { ModelAnswer, ModelMessage } from '../../../domain/model/model-provider.ts';
import { createOpenAiChat } from '../../../models/openai/openai-chat.ts';

type Body = { messages: Array<Record<string, unknown>> };

/** A provider of a server that answers by these deltas, unless it refuses the request, and what it was sent. */
function serverOf(deltas: object[], name = 'openrouter', refuse: (body: Body) => string | undefined = () => undefined) {
  const bodies: Body[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body)) as Body;
    bodies.push(body);
    const message = refuse(body);
    if (message) return Response.json({ error: { message } }, { status: 422 });
    const chunks = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'tool_calls' }];
    const events = chunks.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join('');
    return new Response(`${events}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { provider: createOpenAiChat({ name, baseUrl: 'http://127.0.0.1:9/v1', headers: false, fetch }), bodies };
}

const asked: ModelMessage = { role: 'user', content: { text: 'Go on.' } };

async function ask({ provider }: ReturnType<typeof serverOf>, messages: ModelMessage[], model: string) {
  const labels = { Run: 'r', Role: 'code', Turn: '1' };
  return provider.complete({ model, messages, tools: [], labels, signal: new AbortController().signal });
}

/** As the transcript gives it back. */
function stored({ text, toolCalls, carried }: ModelAnswer): ModelMessage {
  const content = { text, toolCalls, ...(carried && { carried }) };
  return JSON.parse(JSON.stringify({ role: 'assistant', content }));
}

/** What is sent of an answer with the next request, to the same model unless another one is named. */
async function sentBack(deltas: object[], { name = 'openrouter', model = 'm', from = 'openrouter' } = {}) {
  const answer = await ask(serverOf(deltas, from), [asked], 'm');
  const server = serverOf([], name);
  await ask(server, [asked, stored(answer)], model);
  return server.bodies[0]?.messages[1];
}

const piece = (index: number, more: object = {}) => ({
  tool_calls: [{ index, id: `c${index}`, function: { name: 'read_file', arguments: '{}' }, ...more }],
});

describe('the next request is accepted', () => {
  test('by DeepSeek, without what its model thought before a call', async () => {
    const deltas = [{ reasoning_content: '' }, { reasoning_content: 'First ' }, { reasoning_content: 'I look.' }];
    expect(await sentBack([...deltas, piece(0)])).toMatchObject({
      reasoning_content: 'First I look.',
      tool_calls: [{ id: 'c0' }],
    });
    expect(await sentBack([{ reasoning_content: '' }, piece(0)])).toMatchObject({ reasoning_content: '' });
  });

  test("by Google, without the signatures of its model's calls", async () => {
    const signed = { extra_content: { google: { thought_signature: 'sealed' } } };
    const { tool_calls: calls } = (await sentBack([piece(0), piece(1, signed), piece(2)])) ?? {};
    expect(calls).toEqual([
      expect.not.objectContaining(signed),
      expect.objectContaining({ id: 'c1', ...signed }),
      expect.not.objectContaining(signed),
    ]);
  });

  test('by OpenRouter, whose thoughts change their parts while they are streamed', async () => {
    const text = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
    const sealed = { type: 'reasoning.encrypted', format: 'google-gemini-v1', index: 0, id: 'c0' };
    const summary = { type: 'reasoning.summary', format: 'openai-responses-v1', index: 1, id: 'rs_1' };
    const details = [
      { ...text, text: 'First ' },
      { ...text, text: 'a.' },
      { ...text, signature: 's1' },
      { ...text, text: 'Then b.', signature: 's2' },
      { ...sealed, data: 'x' },
      { ...sealed, data: 'y' },
      { ...summary, summary: 'Looks ' },
      { ...summary, summary: 'around.' },
      { ...text, text: 'And' }, // broke off at the limit, so that nobody signed it
    ];
    const deltas = details.map((detail) => ({ reasoning_details: [detail] }));
    expect(await sentBack([...deltas, piece(0)])).toMatchObject({
      reasoning_details: [
        { ...text, text: 'First a.', signature: 's1' },
        { ...text, text: 'Then b.', signature: 's2' },
        { ...sealed, data: 'x' },
        { ...sealed, data: 'y' },
        { ...summary, summary: 'Looks around.' },
      ],
    });
  });

  test('by Claude behind LiteLLM, without its signed thoughts', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'First ', signature: '' },
      { type: 'thinking', thinking: 'a.', signature: '' },
      { type: 'thinking', thinking: '', signature: 's1' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'thinking', thinking: 'And', signature: '' }, // broke off at the limit, so that nobody signed it
    ];
    const deltas = blocks.map((block) => ({ reasoning_content: '', thinking_blocks: [block] }));
    expect((await sentBack([...deltas, piece(0)], { name: 'litellm', from: 'litellm' }))?.thinking_blocks).toEqual([
      { type: 'thinking', thinking: 'First a.', signature: 's1' },
      { type: 'redacted_thinking', data: 'x' },
    ]);
  });

  test.each([{ model: 'another' }, { name: 'vllm' }])('by another one than thought it: %j', async (other) => {
    const thoughts = { reasoning_content: 'I look.', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] };
    const sent = await sentBack([thoughts, piece(0, { extra_content: { google: {} } })], other);
    expect(Object.keys(sent ?? {})).toEqual(['role', 'content', 'tool_calls']);
    expect(sent?.tool_calls).toEqual([expect.not.objectContaining({ extra_content: expect.anything() })]);
  });

  test('by another model of the same server, which was sent the same conversation', async () => {
    const server = serverOf([{ reasoning_content: 'I look.' }, piece(0)]);
    const messages = [asked, stored(await ask(server, [asked], 'm'))];
    for (const model of ['m', 'another', 'm']) await ask(server, messages, model);
    const thoughts = server.bodies.slice(1).map(({ messages: [, answer] }) => answer?.reasoning_content);
    expect(thoughts).toEqual(['I look.', undefined, 'I look.']);
  });

  test.each(['reasoning_content', 'reasoning'])(
    'by a server that streams its %s through a gateway, and does not take it back',
    async (field) => {
      const refused = ({ messages }: Body) =>
        messages.some((message) => field in message) ? `extra_forbidden: assistant.${field}` : undefined;
      const server = serverOf([{ [field]: 'I look.' }, piece(0)], 'litellm', refused);
      const messages = [asked, stored(await ask(server, [asked], 'm'))];
      await ask(server, messages, 'm');
      await ask(server, messages, 'm');
      expect(server.bodies).toHaveLength(4); // it is tried once
    },
  );

  test('once a server has missed thoughts of another model, without those that it gave', async () => {
    const missed = ({ messages }: Body) =>
      messages.some((message) => message.tool_calls && !message.reasoning_content)
        ? 'The reasoning_content in the thinking mode must be passed back to the API.'
        : undefined;
    const server = serverOf([{ reasoning_content: 'I look.' }, piece(0)], 'deepseek', missed);
    const own = stored(await ask(server, [asked], 'm'));
    const foreign = stored(await ask(serverOf([piece(1)], 'vllm'), [asked], 'm'));
    await expect(ask(server, [asked, foreign], 'm')).rejects.toMatchObject({ code: 'ModelRequestRefused' });
    expect(await ask(server, [asked, own], 'm')).toMatchObject({ finish: 'done' });
  });

  test('where an answer has neither words nor calls', async () => {
    expect(await sentBack([{ reasoning_content: 'Hm.' }])).toEqual({
      role: 'assistant',
      content: '(no answer)',
      reasoning_content: 'Hm.',
    });
  });
});

test('vLLM and Ollama get back what their models thought before a call', async () => {
  const deltas = [{ reasoning: 'First ' }, { reasoning: 'I look.' }];
  expect(await sentBack([...deltas, piece(0)])).toMatchObject({ reasoning: 'First I look.' });
});

test.each([
  { reasoning_content: 'I look.' },
  { reasoning_details: [{ type: 'reasoning.text', format: 'anthropic-claude-v1', text: 'I look.' }] },
  { thinking_blocks: [{ type: 'thinking', thinking: 'I look.', signature: 's' }] },
])('the same thoughts are sent back once: %j', async (thoughts) => {
  expect(await sentBack([{ ...thoughts, reasoning: 'I look.' }, piece(0)])).not.toHaveProperty('reasoning');
});
