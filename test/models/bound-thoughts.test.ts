import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelMessage, ModelProvider, ModelRequest, ModelTool } from '../../domain/model/model-provider.ts';
import { createAnthropic } from '../../models/anthropic/anthropic.ts';
import { type ScriptedModel, startScriptedModel } from '../../testing/index.ts';

// Thoughts of Claude from 5.1 on are bound to all that stands before them, and the scripted model refuses what Anthropic does.
let server: ScriptedModel;
let root: string;
let anthropic: ModelProvider;

const call = { tool: 'read_file', arguments: { path: 'a.txt' } };

beforeAll(async () => {
  const turn = { text: 'I read.', reasoning: 'First I look.', calls: [call] };
  server = await startScriptedModel({
    script: { entries: [{ role: 'code', turns: [turn, turn, { text: 'Done.' }] }] },
  });
  root = server.url.replace(/\/v1$/, '');
  anthropic = createAnthropic({ name: 'anthropic', apiKey: 'k', baseUrl: root, headers: true });
});
afterAll(() => server?.close());

const tool = (name: string): ModelTool => ({ name, description: '', parameters: { type: 'object', properties: {} } });
const asked: ModelMessage[] = [
  { role: 'system', content: { text: 'You write reports.' } },
  { role: 'user', content: { text: 'Write one.' } },
];

function request(messages: ModelMessage[], turn: number, changes: Partial<ModelRequest> = {}): ModelRequest {
  const labels = { Run: 'r', Role: 'code', Turn: String(turn) };
  const { signal } = new AbortController();
  return { model: 'claude-opus-5-5', messages, tools: [tool('read_file')], labels, signal, ...changes };
}

/** A conversation with so many turns behind it. */
async function conversation(
  turns: number,
  provider = anthropic,
  changes: Partial<ModelRequest> = {},
): Promise<ModelMessage[]> {
  const messages = [...asked];
  for (let turn = 1; turn <= turns; turn += 1) {
    const { text, toolCalls, carried } = await provider.complete(request(messages, turn, changes));
    messages.push({ role: 'assistant', content: { text, toolCalls, ...(carried && { carried }) } });
    for (const { id } of toolCalls) messages.push({ role: 'tool', content: { text: 'So it is.', toolCallId: id } });
  }
  return messages;
}

const withText = (place: number, text: string) => (messages: ModelMessage[]) =>
  messages.map((message, index) => (index === place ? { ...message, content: { ...message.content, text } } : message));

test.each([
  ['a tool was made', (messages: ModelMessage[]) => messages, { tools: [tool('read_file'), tool('count_words')] }],
  ['the instructions were changed', withText(0, 'You write letters.'), {}],
  ['older output was shortened', withText(3, 'So'), {}],
  ['older turns were summarized', (messages: ModelMessage[]) => messages.toSpliced(2, 2), {}],
])('a conversation is still accepted once %s', async (_, change, changes) => {
  const messages = await conversation(2);
  expect(messages.filter(({ content }) => content.carried)).toHaveLength(2);
  expect(await anthropic.complete(request(change(messages), 3, changes))).toMatchObject({ text: 'Done.' });
});

/** Anthropic behind a gateway that refuses requests with these words in their headers or body, and every beta that it was asked with. */
function gatewayThat(refuses: string, message: string) {
  const betas: unknown[] = [];
  const gateway: typeof fetch = async (address, init) => {
    const beta = new Headers(init?.headers).get('anthropic-beta');
    betas.push(beta);
    if (!`${beta} ${init?.body}`.includes(refuses)) return fetch(address, init);
    return Response.json({ type: 'error', error: { type: 'invalid_request_error', message } }, { status: 400 });
  };
  const behind = createAnthropic({ name: 'anthropic', baseUrl: root, apiKey: 'k', headers: true, fetch: gateway });
  return { behind, betas };
}

test.each([
  'thinking.adaptive.block_binding: Extra inputs are not permitted',
  'invalid beta flag',
  'Unexpected value(s) `thinking-binding-controls-2026-08-01` for the `anthropic-beta` header.',
])('a gateway that refuses the binding of thoughts is asked without it: %s', async (message) => {
  const { behind, betas } = gatewayThat('block_binding', message);
  expect(await behind.complete(request(await conversation(2, behind), 3))).toMatchObject({ text: 'Done.' });
  expect(betas).toEqual(['thinking-binding-controls-2026-08-01', null, null, null]); // it is tried once
});

const interleaving = 'interleaved-thinking-2025-05-14';

test.each([
  'invalid beta flag',
  `Unexpected value(s) \`${interleaving}\` for the \`anthropic-beta\` header.`,
  'messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
])('a gateway that refuses thoughts between calls is asked without them: %s', async (message) => {
  const { behind, betas } = gatewayThat(interleaving, message);
  const older = { model: 'claude-opus-4-5', reasoningEffort: 'low' as const };
  const messages = await conversation(2, behind, older);
  expect(await behind.complete(request(messages, 3, older))).toMatchObject({ text: 'Done.' });
  expect(betas).toEqual([interleaving, null, null, null]);
});

test.each(['claude-opus-4-5', 'claude-sonnet-4-5-20250929', 'claude-opus-4-1-20250805', 'claude-sonnet-4-20250514'])(
  '%s thinks between its calls',
  async (model) => {
    const { behind, betas } = gatewayThat('(nothing)', '');
    const changes = { model, reasoningEffort: 'low' as const };
    const messages = await conversation(2, behind, changes);
    expect(await behind.complete(request(messages, 3, changes))).toMatchObject({ text: 'Done.' });
    expect(betas).toEqual([interleaving, interleaving, interleaving]);
  },
);

test.each([
  ['claude-opus-4-5', {}],
  ['claude-haiku-4-5', { reasoningEffort: 'low' }],
  ['claude-3-7-sonnet-20250219', { reasoningEffort: 'low' }],
  ['claude-opus-4-6', { reasoningEffort: 'low' }],
  ['qwen3', { reasoningEffort: 'low' }],
] as const)('%s with %j gets only the betas that it knows and needs', async (model, settings) => {
  const { behind, betas } = gatewayThat('(nothing)', '');
  await behind.complete(request(asked, 1, { ...settings, model } as Partial<ModelRequest>));
  expect(betas).toEqual([null]);
});

test.each([
  ['claude-opus-5-5', undefined, { type: 'adaptive', display: 'summarized', block_binding: expect.anything() }],
  ['claude-fable-5-1', 'low', { type: 'adaptive', display: 'summarized', block_binding: expect.anything() }],
  ['claude-sonnet-5', undefined, { type: 'adaptive', display: 'summarized' }],
  ['claude-opus-5-20260801', undefined, { type: 'adaptive', display: 'summarized' }],
  ['claude-opus-4-7', 'high', { type: 'adaptive', display: 'summarized' }],
  ['claude-opus-4-7', undefined, undefined],
  ['claude-haiku-4-5-20251001', 'low', { type: 'enabled', budget_tokens: 2_048 }],
  ['claude-3-7-sonnet-20250219', 'high', { type: 'enabled', budget_tokens: 16_000 }],
  ['claude-3-5-haiku-20241022', 'high', undefined],
  ['claude-3-opus-20240229', 'high', undefined],
  ['qwen3', 'high', { type: 'adaptive' }],
  ['claude-sonnet-4-20250514', undefined, undefined],
  ['qwen3', undefined, undefined],
] as const)('%s with the effort %s thinks visibly', async (model, reasoningEffort, thinking) => {
  const bodies: string[] = [];
  const listening: typeof fetch = async (_, init) => {
    bodies.push(String(init?.body));
    return new Response('{}', { status: 500 });
  };
  const heard = createAnthropic({ name: 'anthropic', apiKey: 'k', headers: false, fetch: listening });
  await expect(heard.complete(request(asked, 1, { model, reasoningEffort }))).rejects.toMatchObject({
    code: 'ModelServerError',
  });
  const body = JSON.parse(bodies[0] ?? '');
  expect(body.thinking).toEqual(thinking);
  const effort = thinking?.type === 'adaptive' ? reasoningEffort : undefined; // it is refused beside a budget
  expect(body.output_config).toEqual(effort && { effort });
});

describe('an older Claude is accepted', () => {
  const thought = { provider: 'anthropic', items: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] };

  /** An answer that calls a tool, and its result. */
  function step(id: string, carried?: typeof thought): ModelMessage[] {
    const toolCalls = [{ id, name: 'read_file', arguments: '{}' }];
    return [
      { role: 'assistant', content: { text: '', toolCalls, ...(carried && { carried }) } },
      { role: 'tool', content: { text: 'So it is.', toolCallId: id } },
    ];
  }

  async function sent(messages: ModelMessage[], change: Partial<ModelRequest> = {}) {
    const bodies: string[] = [];
    const listening: typeof fetch = async (_, init) => {
      bodies.push(String(init?.body));
      return new Response('{}', { status: 500 });
    };
    const heard = createAnthropic({ name: 'anthropic', apiKey: 'k', headers: false, fetch: listening });
    const asked = request(messages, 2, { model: 'claude-haiku-4-5', reasoningEffort: 'low', ...change });
    await expect(heard.complete(asked)).rejects.toMatchObject({ code: 'ModelServerError' });
    return { thinks: JSON.parse(bodies[0] ?? '').thinking?.type === 'enabled', thoughts: bodies[0]?.includes('Hm.') };
  }

  const steer: ModelMessage = { role: 'user', content: { text: 'Use the other file.' } };

  test('that takes over in the middle of the calls of another model', async () => {
    expect(await sent([...asked, ...step('c1')])).toEqual({ thinks: false, thoughts: false });
    expect(await sent([...asked, ...step('c1', thought), steer, ...step('c2')])).toMatchObject({ thinks: true });
    expect(
      await sent([
        ...asked,
        ...step('c1', thought),
        { role: 'assistant', content: { text: 'Done.' } },
        steer,
        ...step('c2'),
      ]),
    ).toMatchObject({ thinks: false });
  });

  test('in the middle of its calls, since it thinks before the first one only', async () => {
    expect(await sent([...asked, ...step('c1', thought)])).toEqual({ thinks: true, thoughts: true });
    expect(await sent([...asked, ...step('c1', thought), ...step('c2')])).toEqual({ thinks: true, thoughts: true });
  });

  test('once it no longer thinks, with what it thought', async () => {
    const messages = [...asked, ...step('c1', thought)];
    for (const change of [{ reasoningEffort: undefined }, { maxOutputTokens: 1_000 }, { model: 'claude-3-5-haiku' }]) {
      expect(await sent(messages, change)).toEqual({ thinks: false, thoughts: false });
    }
  });
});
