import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ModelCallSettings, ModelProvider, ModelRequest, ToolChoice } from '../../domain/model/model-provider.ts';
import { createAnthropic } from '../../models/anthropic/anthropic.ts';
import { createModels } from '../../models/create-models.ts';
import { openOpenAiEmbedder } from '../../models/embedding/openai-embedder.ts';
import { createOpenAiChat } from '../../models/openai/openai-chat.ts';
import { createOpenAiResponses } from '../../models/openai/openai-responses.ts';

let server: Server;
let root: string;
const bodies: Array<Record<string, unknown>> = [];
const headers: IncomingHttpHeaders[] = [];

/** What a provider sends is looked at; it is refused, since the answer is another test's. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    headers.push(request.headers);
    bodies.push((await json(request)) as Record<string, unknown>);
    response.writeHead(400).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function sentBy(
  provider: ModelProvider,
  settings: Partial<ModelRequest>,
  model = 'm',
): Promise<Record<string, unknown> | undefined> {
  const messages = [{ role: 'user' as const, content: { text: 'Hello.' } }];
  const request = { model, messages, tools: [], labels: {}, signal: new AbortController().signal, ...settings };
  await expect(provider.complete(request)).rejects.toMatchObject({ code: 'ModelRequestRefused' });
  return bodies.pop();
}

const settings: ModelCallSettings = { reasoningEffort: 'low', maxOutputTokens: 900, temperature: 0 };

test("a role's settings reach OpenAI's chat completions under their names", async () => {
  const chat = createOpenAiChat({ name: 'vllm', baseUrl: `${root}/v1`, headers: false });
  const sent = await sentBy(chat, settings);
  expect(sent).toMatchObject({ reasoning_effort: 'low', max_tokens: 900, temperature: 0 });
  expect(sent).not.toHaveProperty('max_completion_tokens');
  for (const name of ['reasoning_effort', 'max_tokens', 'temperature'])
    expect(await sentBy(chat, {})).not.toHaveProperty(name);
});

test("the token limit has the name that OpenAI's models or other servers know", async () => {
  const limitOf = async (name: string, model: string) => {
    const chat = createOpenAiChat({ name, baseUrl: `${root}/v1`, headers: false });
    const { max_tokens: old, max_completion_tokens: limit } =
      (await sentBy(chat, { maxOutputTokens: 900 }, model)) ?? {};
    return { old, limit };
  };
  for (const model of ['gpt-5.4', 'o3', 'openai/gpt-5-mini']) {
    expect(await limitOf('openai', model)).toEqual({ limit: 900 });
  }
  expect(await limitOf('openai', 'qwen3')).toEqual({ old: 900 });
  expect(await limitOf('openrouter', 'openai/gpt-5')).toEqual({ old: 900 });
});

test('the choice of a tool reaches each API in its own form, and none without tools', async () => {
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
  const options = { name: 'openai', baseUrl: `${root}/v1`, headers: false as const };
  const choices: ToolChoice[] = ['auto', 'none', 'required', { tool: 'look' }];
  const sent = async (provider: ModelProvider) => {
    const forms: unknown[] = [];
    for (const toolChoice of choices) forms.push((await sentBy(provider, { tools, toolChoice }))?.tool_choice);
    return forms;
  };
  const chat = createOpenAiChat(options);
  for (const [provider, last] of [
    [chat, { type: 'function', function: { name: 'look' } }],
    [createOpenAiResponses(options), { type: 'function', name: 'look' }],
  ] as const) {
    expect(await sent(provider)).toEqual(['auto', 'none', 'required', last]);
  }
  expect(await sent(createAnthropic({ name: 'anthropic', baseUrl: root, headers: false }))).toEqual([
    { type: 'auto' },
    { type: 'none' },
    { type: 'any' },
    { type: 'tool', name: 'look' },
  ]);
  expect(await sentBy(chat, { toolChoice: 'none' })).not.toHaveProperty('tool_choice');
});

test('Claude does not think where it has to call a tool, since the API refuses both at once', async () => {
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
  const claude = createAnthropic({ name: 'anthropic', baseUrl: root, headers: false });
  const forced = { tools, toolChoice: 'required' as const, reasoningEffort: 'low' as const };
  expect(await sentBy(claude, forced, 'claude-sonnet-4-6')).not.toHaveProperty('thinking');
  expect(await sentBy(claude, forced, 'claude-opus-5')).toMatchObject({ thinking: { type: 'disabled' } });
  expect(await sentBy(claude, { ...forced, toolChoice: 'auto' }, 'claude-opus-5')).toMatchObject({
    thinking: { type: 'adaptive' },
  });
});

test("a role's settings reach OpenAI's responses", async () => {
  const responses = createOpenAiResponses({ name: 'openai', baseUrl: `${root}/v1`, headers: false });
  const sent = await sentBy(responses, settings);
  expect(sent).toMatchObject({ reasoning: { effort: 'low' }, max_output_tokens: 900, temperature: 0 });
});

test("a role's settings reach Anthropic, with the required limit", async () => {
  const anthropic = createAnthropic({ name: 'anthropic', apiKey: 'k', baseUrl: root, headers: false });
  const sent = await sentBy(anthropic, settings);
  expect(sent).toMatchObject({ output_config: { effort: 'low' }, max_tokens: 900, temperature: 0 });
  expect(await sentBy(anthropic, {})).toMatchObject({ max_tokens: 32_000 });
});

test("a server gets neither OpenAI's organization nor a gateway's key", async () => {
  process.env.OPENAI_ORG_ID = 'org-of-the-shell';
  process.env.OPENAI_PROJECT_ID = 'project-of-the-shell';
  const custom = 'X-Gateway-Key: secret\nAuthorization: Bearer secret';
  process.env.OPENAI_CUSTOM_HEADERS = custom;
  process.env.ANTHROPIC_CUSTOM_HEADERS = custom;
  try {
    const sent = () => {
      const last = headers.pop() ?? {};
      const names = ['openai-organization', 'openai-project', 'x-gateway-key', 'authorization'];
      return names.map((name) => last[name]);
    };
    const sentTo = async (provider: ModelProvider) => {
      await sentBy(provider, {});
      return sent();
    };
    const given = (name: string) => ({ name, apiKey: 'k', baseUrl: `${root}/v1`, headers: false });
    const mine = ['org-of-the-shell', 'project-of-the-shell', 'secret', 'Bearer secret'];
    for (const create of [createOpenAiChat, createOpenAiResponses]) {
      expect(await sentTo(create(given('openrouter')))).toEqual([undefined, undefined, undefined, 'Bearer k']);
      expect(await sentTo(create(given('openai')))).toEqual(mine);
    }
    await expect(openOpenAiEmbedder({ ...given('vllm'), model: 'm' })).rejects.toThrow();
    expect(sent()).toEqual([undefined, undefined, undefined, 'Bearer k']);
    expect(await sentTo(createAnthropic(given('of-mine')))).toEqual([undefined, undefined, undefined, 'Bearer k']);
    expect(await sentTo(createAnthropic(given('anthropic')))).toEqual([undefined, undefined, ...mine.slice(2)]);
  } finally {
    for (const name of ['OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_CUSTOM_HEADERS', 'ANTHROPIC_CUSTOM_HEADERS'])
      delete process.env[name];
  }
});

test('a proxy without an address is an error, and its key goes nowhere', async () => {
  const proxied = { litellm: { apiKey: 'k', headers: false } };
  const request = { messages: [], tools: [], labels: {}, signal: new AbortController().signal };
  const answer = createModels({ providers: proxied }).complete('litellm/gpt-4o', request);
  await expect(answer).rejects.toMatchObject({
    code: 'ModelNotFound',
    message: expect.stringContaining('Expected LITELLM_BASE_URL'),
  });
});
