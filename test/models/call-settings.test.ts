import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAnthropic } from '../../models/anthropic.ts';
import type { ModelCallSettings, ModelProvider } from '../../models/model-provider.ts';
import { createOpenAiChat } from '../../models/openai-chat.ts';
import { createOpenAiResponses } from '../../models/openai-responses.ts';

let server: Server;
let root: string;
const bodies: unknown[] = [];

/** What a provider sends is looked at; it is refused, since the answer is another test's. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    bodies.push(await json(request));
    response.writeHead(400).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function sentBy(provider: ModelProvider, settings: ModelCallSettings): Promise<unknown> {
  const messages = [{ role: 'user' as const, content: { text: 'Hello.' } }];
  const request = { model: 'm', messages, tools: [], labels: {}, signal: new AbortController().signal, ...settings };
  await expect(provider.complete(request)).rejects.toMatchObject({ why: 'bad-request' });
  return bodies.pop();
}

const settings: ModelCallSettings = { reasoningEffort: 'low', maxOutputTokens: 900, temperature: 0 };

test("a role's settings would not reach OpenAI's chat completions under the names that servers know", async () => {
  const chat = createOpenAiChat({ name: 'vllm', baseUrl: `${root}/v1`, headers: false });
  const sent = await sentBy(chat, settings);
  expect(sent).toMatchObject({ reasoning_effort: 'low', max_tokens: 900, temperature: 0 });
  expect(sent).not.toHaveProperty('max_completion_tokens');
  for (const name of ['reasoning_effort', 'max_tokens', 'temperature'])
    expect(await sentBy(chat, {})).not.toHaveProperty(name);
});

test("a role's settings would not reach OpenAI's responses", async () => {
  const responses = createOpenAiResponses({ name: 'openai', baseUrl: `${root}/v1`, headers: false });
  const sent = await sentBy(responses, settings);
  expect(sent).toMatchObject({ reasoning: { effort: 'low' }, max_output_tokens: 900, temperature: 0 });
});

test("a role's settings would not reach Anthropic, or leave it without the limit that it wants", async () => {
  const anthropic = createAnthropic({ name: 'anthropic', apiKey: 'k', baseUrl: root, headers: false });
  const sent = await sentBy(anthropic, settings);
  expect(sent).toMatchObject({ output_config: { effort: 'low' }, max_tokens: 900, temperature: 0 });
  expect(await sentBy(anthropic, {})).toMatchObject({ max_tokens: 32_000 });
});
