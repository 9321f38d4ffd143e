import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { loadConfigFile } from '../../config/load-config-file.ts';
import { packageRoot } from '../../config/package-root.ts';
import type { AnswerDelta } from '../../db/transcript/message.ts';
import { createAnthropic } from '../../models/anthropic.ts';
import { ModelError } from '../../models/model-error.ts';
import type { ModelMessage, ModelProvider, ModelRequest } from '../../models/model-provider.ts';
import { createOpenAiChat } from '../../models/openai-chat.ts';
import { createOpenAiResponses } from '../../models/openai-responses.ts';
import { type MisbehaviourInput, type ScriptedModel, startScriptedModel } from '../../testing/index.ts';

const long = 'What the report is about, in as many words as it takes to fill several pieces of a stream.';
let model: ScriptedModel;
/** What a `longhaul.config.ts` with the example's provider brings; by address, since the file is where addresses stand. */
const own = new Map<string, ModelProvider>();

beforeAll(async () => {
  model = await startScriptedModel({
    script: {
      entries: [
        {
          role: 'code',
          turns: [
            {
              text: long,
              reasoning: 'First I look at what is there.',
              calls: [
                { tool: 'read_file', arguments: { path: 'a.txt' } },
                { tool: 'read_file', arguments: { path: 'b.txt' } },
              ],
            },
            { text: 'Done.', expect: ['content of a', 'content of b'] },
          ],
        },
        {
          role: 'research',
          turns: [
            { text: '{"title":"Report","pages":3}', structured: true },
            { text: 'It is a report of three pages.', structured: true },
          ],
        },
      ],
    },
  });
});
beforeAll(async () => {
  for (const baseUrl of [model.url, nowhere]) own.set(baseUrl, await providerOfFile(baseUrl));
});
afterAll(() => model?.close());
afterEach(() => model.behave());

const nowhere = 'http://127.0.0.1:9/v1';
const root = () => model.url.replace(/\/v1$/, '');
const idleMs = 1500;
const providers: Array<[string, () => ModelProvider]> = [
  ['OpenAI chat', () => createOpenAiChat({ name: 'openai', baseUrl: model.url, headers: true, idleMs })],
  ['OpenAI responses', () => createOpenAiResponses({ name: 'openai', baseUrl: model.url, headers: true, idleMs })],
  ['Anthropic', () => createAnthropic({ name: 'anthropic', apiKey: 'k', baseUrl: root(), headers: true, idleMs })],
  ["a longhaul.config.ts's own", () => ownAt(model.url)],
];

function ownAt(baseUrl: string): ModelProvider {
  const provider = own.get(baseUrl);
  if (!provider) throw new Error(`Expected a provider at ${baseUrl}.`);
  return provider;
}

async function providerOfFile(baseUrl: string): Promise<ModelProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-config-'));
  try {
    const file = join(folder, 'longhaul.config.ts');
    const factory = join(packageRoot(), 'examples', 'own-provider', 'fetch-provider.ts');
    writeFileSync(
      file,
      `import { defineConfig } from 'longhaul/config';
import { createFetchProvider } from ${JSON.stringify(factory)};
const options: { name: string; headers: boolean } = { name: 'mine', headers: true };
export default defineConfig({ providers: [createFetchProvider({ ...options, baseUrl: '${baseUrl}', idleMs: ${idleMs} })] });`,
    );
    const { config } = await loadConfigFile(file);
    return config.providers?.[0] as ModelProvider;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Those that want something back of what they thought. */
const carrying = ['OpenAI responses', 'Anthropic'];

const tools = [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: {} } }];
const asked: ModelMessage[] = [
  { role: 'system', content: { text: 'You write reports.' } },
  { role: 'user', content: { text: 'Write one.' } },
];

function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  const labels = { Project: 'p', Run: 'r', Role: 'code', Turn: '1' };
  return { model: 'scripted', messages: asked, tools, labels, signal: new AbortController().signal, ...changes };
}

describe.each(providers)('%s', (name, create) => {
  const misbehave = (kind: MisbehaviourInput) => model.misbehave(kind, { times: 1 });

  async function errorOf(changes: Partial<ModelRequest> = {}): Promise<ModelError> {
    const error = await create()
      .complete(request(changes))
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(ModelError);
    return error as ModelError;
  }

  test('an answer would lack a part of what was streamed', async () => {
    const deltas: AnswerDelta[] = [];
    const answer = await create().complete(request(), (delta) => deltas.push(delta));
    expect(answer).toMatchObject({ text: long, finish: 'done', requestId: 'req_r_1' });
    expect(answer.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['read_file', { path: 'a.txt' }],
      ['read_file', { path: 'b.txt' }],
    ]);
    expect(answer.usage.inputTokens).toBeGreaterThan(5);
    expect(answer.usage.outputTokens).toBeGreaterThan(5);
    expect(answer.firstTokenMs).not.toBeNull();
    const said = deltas.flatMap((delta) => (delta.type === 'text' ? [delta.text] : []));
    expect(said.length).toBeGreaterThan(1);
    expect(said.join('')).toBe(long);
    const called = deltas.flatMap((delta) => (delta.type === 'tool-call' ? [delta] : []));
    expect(new Set(called.map(({ index }) => index)).size).toBe(2);
    expect(called.map((delta) => delta.arguments).join('')).toBe('{"path":"a.txt"}{"path":"b.txt"}');
  });

  test('a second turn would be refused, since calls, results or thoughts do not come back as the provider wants them', async () => {
    const first = await create().complete(request());
    const { text, toolCalls, carried } = first;
    const results = toolCalls.map(
      ({ id }, index): ModelMessage => ({
        role: 'tool',
        content: { text: `content of ${'ab'[index]}`, toolCallId: id },
      }),
    );
    const messages: ModelMessage[] = [
      ...asked,
      { role: 'assistant', content: { text, toolCalls, ...(carried && { carried }) } },
      ...results,
    ];
    const labels = { Run: 'r', Role: 'code', Turn: '2' };
    expect(await create().complete(request({ messages, labels }))).toMatchObject({ text: 'Done.', toolCalls: [] });
    if (carrying.includes(name)) {
      const forgotten = messages.map(({ role, content: { carried: _, ...content } }) => ({ role, content }));
      await expect(create().complete(request({ messages: forgotten, labels }))).rejects.toMatchObject({
        why: 'bad-request',
      });
    }
  });

  test('a transcript of another provider, with bad arguments and an empty answer in it, could not be gone on with', async () => {
    const messages: ModelMessage[] = [
      ...asked,
      {
        role: 'assistant',
        content: {
          text: '',
          toolCalls: [{ id: 'x1', name: 'read_file', arguments: '{"path": "content of a' }],
          carried: { provider: 'another', items: [{ secret: true }] },
        },
      },
      { role: 'tool', content: { text: 'The arguments are not JSON: content of b.', toolCallId: 'x1' } },
      { role: 'assistant', content: { text: '' } },
      { role: 'user', content: { text: 'Go on.' } },
    ];
    const labels = { Run: 'r', Role: 'code', Turn: '4' }; // two of its answers count as gone wrong
    const again = await create()
      .complete(request({ messages, labels }))
      .catch((error: Error) => error);
    expect(again).not.toMatchObject({ message: expect.stringMatching(/Expected a|not JSON/) });
  });

  test.each([
    ['that can be enforced', { type: 'integer' }, ['title', 'pages']],
    ['with a limit and a property that may be absent', { type: 'integer', minimum: 1 }, ['title']],
  ])('a schema %s would not reach the model, or be refused', async (_, pages, required) => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, pages },
      required,
      additionalProperties: false,
    };
    const answerSchema = { name: 'report', schema };
    const labels = { Role: 'research', Turn: '1' };
    const asked = { answerSchema, labels, tools: [], reasoningEffort: 'low' as const };
    const { text } = await create().complete(request(asked));
    expect(JSON.parse(text)).toEqual({ title: 'Report', pages: 3 });
    await expect(create().complete(request({ labels }))).rejects.toThrow('expects a request with a schema');
    const talks = request({ ...asked, labels: { ...labels, Turn: '2' } });
    await expect(create().complete(talks)).rejects.toThrow('does not fit the schema of the request');
  });

  test.each([
    [
      { kind: 'rate-limit', retryAfterSeconds: 7 },
      { why: 'rate-limited', retryable: true, retryAfterMs: 7_000 },
    ],
    [
      { kind: 'rate-limit', retryAfterSeconds: 86_400 },
      { why: 'rate-limited', retryAfterMs: 60_000 },
    ],
    [
      { kind: 'status', status: 500 },
      { why: 'server', retryable: true },
    ],
    [
      { kind: 'status', status: 503 },
      { why: 'overloaded', retryable: true },
    ],
    [
      { kind: 'status', status: 529 },
      { why: 'overloaded', retryable: true },
    ],
    [
      { kind: 'status', status: 408 },
      { why: 'timeout', retryable: true },
    ],
    [
      { kind: 'status', status: 401 },
      { why: 'authentication', retryable: false },
    ],
    [
      { kind: 'status', status: 403 },
      { why: 'authentication', retryable: false },
    ],
    [
      { kind: 'status', status: 400 },
      { why: 'bad-request', retryable: false },
    ],
    [
      { kind: 'status', status: 404 },
      { why: 'bad-request', retryable: false },
    ],
    [
      { kind: 'status', status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' },
      { why: 'context-too-long', retryable: false },
    ],
    [
      { kind: 'status', status: 400, message: 'Your credit balance is too low to access the API.' },
      { why: 'quota-spent', retryable: false },
    ],
    [{ kind: 'cut-stream' }, { why: 'connection', retryable: true }],
    [{ kind: 'connection-reset' }, { why: 'connection', retryable: true }],
    [{ kind: 'hang' }, { why: 'timeout', retryable: true }],
  ] as Array<[MisbehaviourInput, object]>)('%j would end without its cause', async (kind, expected) => {
    misbehave(kind);
    expect(await errorOf()).toMatchObject(expected);
  });

  test("an error would not say the provider's request id", async () => {
    misbehave({ kind: 'status', status: 500 });
    expect((await errorOf()).message).toContain('(request req_r_1)');
  });

  test('a server that is not there would look like a mistake of the request', async () => {
    const options = { name: 'nowhere', apiKey: 'k', baseUrl: nowhere, headers: false };
    const gone = {
      'OpenAI chat': createOpenAiChat,
      'OpenAI responses': createOpenAiResponses,
      Anthropic: createAnthropic,
    }[name];
    await expect((gone?.(options) ?? ownAt(nowhere)).complete(request())).rejects.toMatchObject({
      why: 'connection',
      retryable: true,
    });
  });

  test('a cancelled call would go on for as long as the server does', async () => {
    misbehave({ kind: 'delay', milliseconds: 300 });
    const controller = new AbortController();
    const call = create().complete(request({ signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('a person stopped it')), 50);
    const since = performance.now();
    await expect(call).rejects.toThrow('a person stopped it');
    expect(performance.now() - since).toBeLessThan(250);
  });

  test('an answer that was cut off at its limit, or refused, would look complete', async () => {
    misbehave({ kind: 'truncated' });
    expect(await create().complete(request())).toMatchObject({ finish: 'length', toolCalls: [] });
    misbehave({ kind: 'refusal' });
    expect(await create().complete(request())).toMatchObject({ finish: 'refusal', text: 'I will not do that.' });
  });

  test('arguments that are not JSON would be lost on their way to who tells the model', async () => {
    misbehave({ kind: 'malformed-arguments' });
    const { toolCalls } = await create().complete(request());
    expect(toolCalls[0]?.arguments).toBe('{"path":"a.txt", "');
  });
});
