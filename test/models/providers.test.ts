import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ModelError } from '../../domain/model/model-error.ts';
import type { CountedSoFar, ModelMessage, ModelProvider, ModelRequest } from '../../domain/model/model-provider.ts';
import type { AnswerDelta } from '../../domain/run/message.ts';
import { createAnthropic } from '../../models/anthropic/anthropic.ts';
import { createOpenAiChat } from '../../models/openai/openai-chat.ts';
import { createOpenAiResponses } from '../../models/openai/openai-responses.ts';
import { type MisbehaviourInput, type ScriptedModel, startScriptedModel } from '../../testing/index.ts';
import { carrying, contractProviders, type ProviderName, providerNames } from '../support/contract-providers.ts';
import { waitFor } from '../support/wait-for.ts';

const long = 'What the report is about, in as many words as it takes to fill several pieces of a stream.';
let model: ScriptedModel;
let providers: Record<ProviderName, ModelProvider>;
let hasty: Record<ProviderName, ModelProvider>;
let gone: Record<ProviderName, ModelProvider>;

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
  providers = await contractProviders(model.url, idleMs);
  hasty = await contractProviders(model.url, 1_000);
  gone = await contractProviders(nowhere, idleMs);
});
afterAll(() => model?.close());
afterEach(() => model.behave());

const nowhere = 'http://127.0.0.1:9/v1';
/** Long enough for anything but a hang, however busy the machine is; hangs are tested with the `hasty` providers. */
const idleMs = 60_000;

const tools = [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: {} } }];
const asked: ModelMessage[] = [
  { role: 'system', content: { text: 'You write reports.' } },
  { role: 'user', content: { text: 'Write one.' } },
];

function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  const labels = { Project: 'p', Run: 'r', Role: 'code', Turn: '1' };
  return { model: 'scripted', messages: asked, tools, labels, signal: new AbortController().signal, ...changes };
}

test.each([
  ['OpenAI chat', createOpenAiChat, 'This response_format type is unavailable now'],
  [
    'OpenAI responses',
    createOpenAiResponses,
    "Invalid parameter: 'text.format' of type 'json_schema' is not supported",
  ],
  ['Anthropic', createAnthropic, 'output_config.format: structured outputs are not supported by this model'],
])('%s: a model without schemas of answers is asked for JSON', async (name, create, message) => {
  const sent: boolean[] = [];
  const refusing: typeof fetch = async (address, init) => {
    sent.push(String(init?.body).includes('json_schema'));
    if (sent.at(-1)) return Response.json({ error: { type: 'invalid_request_error', message } }, { status: 400 });
    return fetch(address, init);
  };
  const baseUrl = name === 'Anthropic' ? model.url.replace(/\/v1$/, '') : model.url;
  const provider = create({ name: 'mine', apiKey: 'k', baseUrl, headers: true, fetch: refusing });
  const answerSchema = { name: 'report', schema: { type: 'object', properties: {}, additionalProperties: false } };
  for (const _ of ['first', 'second'])
    expect(await provider.complete(request({ answerSchema }))).toMatchObject({ text: long });
  expect(sent).toEqual([true, false, false]); // it is tried once
});

describe.each(providerNames)('%s', (name) => {
  const create = () => providers[name];
  const misbehave = (kind: MisbehaviourInput) => model.misbehave(kind, { times: 1 });

  async function errorOf(provider = create()): Promise<ModelError> {
    const error = await provider.complete(request()).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ModelError);
    return error as ModelError;
  }

  test('the streamed parts are the whole answer', async () => {
    const deltas: AnswerDelta[] = [];
    const answer = await create().complete(request(), (delta) => deltas.push(delta));
    expect(answer).toMatchObject({ text: long, finish: 'done', requestId: 'req_r_1' });
    expect(answer.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['read_file', { path: 'a.txt' }],
      ['read_file', { path: 'b.txt' }],
    ]);
    expect(answer.usage?.inputTokens).toBeGreaterThan(5);
    expect(answer.usage?.outputTokens).toBeGreaterThan(5);
    expect(answer.firstTokenMs).not.toBeNull();
    const said = deltas.flatMap((delta) => (delta.type === 'text' ? [delta.text] : []));
    expect(said.length).toBeGreaterThan(1);
    expect(said.join('')).toBe(long);
    const called = deltas.flatMap((delta) => (delta.type === 'tool-call' ? [delta] : []));
    expect(new Set(called.map(({ index }) => index)).size).toBe(2);
    expect(called.map((delta) => delta.arguments).join('')).toBe('{"path":"a.txt"}{"path":"b.txt"}');
  });

  test('a second turn sends calls, results and thoughts back as the provider wants them', async () => {
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
        code: 'ModelRequestRefused',
      });
    }
  });

  test('a transcript of another provider, with bad arguments and an empty answer, can be continued', async () => {
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
    const labels = { Run: 'r', Role: 'code', Turn: '4' }; // two of its answers count as failed
    const again = await create()
      .complete(request({ messages, labels }))
      .catch((error: Error) => error);
    expect(again).not.toMatchObject({ message: expect.stringMatching(/Expected a|not JSON/) });
  });

  test.each([
    ['that can be enforced', { type: 'integer' }, ['title', 'pages']],
    ['with a limit and a property that may be absent', { type: 'integer', minimum: 1 }, ['title']],
  ])('a schema %s reaches the model', async (_, pages, required) => {
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
      { code: 'ModelRateLimited', retryable: true, retryAfterMs: 7_000 },
    ],
    [
      { kind: 'rate-limit', retryAfterSeconds: 86_400 },
      { code: 'ModelRateLimited', retryAfterMs: 60_000 },
    ],
    [
      { kind: 'status', status: 500 },
      { code: 'ModelServerError', retryable: true },
    ],
    [
      { kind: 'status', status: 503 },
      { code: 'ModelOverloaded', retryable: true },
    ],
    [
      { kind: 'status', status: 529 },
      { code: 'ModelOverloaded', retryable: true },
    ],
    [
      { kind: 'status', status: 408 },
      { code: 'ModelTimeout', retryable: true },
    ],
    [
      { kind: 'status', status: 401 },
      { code: 'ModelAuthentication', retryable: false },
    ],
    [
      { kind: 'status', status: 403 },
      { code: 'ModelAuthentication', retryable: false },
    ],
    [
      { kind: 'status', status: 400 },
      { code: 'ModelRequestRefused', retryable: false },
    ],
    [
      { kind: 'status', status: 404 },
      { code: 'ModelNotFound', retryable: false },
    ],
    [
      { kind: 'status', status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' },
      { code: 'ModelContextTooLong', retryable: false },
    ],
    [
      { kind: 'status', status: 400, message: 'Your credit balance is too low to access the API.' },
      { code: 'ModelQuotaSpent', retryable: false },
    ],
    [
      { kind: 'status', status: 402, message: 'Insufficient credits' },
      { code: 'ModelQuotaSpent', retryable: false },
    ],
    [
      { kind: 'status', status: 413 },
      { code: 'ModelContextTooLong', retryable: false },
    ],
    [
      { kind: 'status', status: 500, headers: { 'x-should-retry': 'false' } },
      { code: 'ModelServerError', retryable: false },
    ],
    [
      { kind: 'status', status: 400, headers: { 'x-should-retry': 'true' } },
      { code: 'ModelRequestRefused', retryable: true },
    ],
    [
      { kind: 'status', status: 429, headers: { 'retry-after-ms': '1500', 'retry-after': '2' } },
      { code: 'ModelRateLimited', retryAfterMs: 1500 },
    ],
    [{ kind: 'cut-stream' }, { code: 'ModelUnreachable', retryable: true }],
    [{ kind: 'connection-reset' }, { code: 'ModelUnreachable', retryable: true }],
    [{ kind: 'hang' }, { code: 'ModelTimeout', retryable: true }],
  ] as Array<[MisbehaviourInput, object]>)('%j ends with its cause', async (kind, expected) => {
    misbehave(kind);
    expect(await errorOf((kind.kind === 'hang' ? hasty : providers)[name])).toMatchObject(expected);
  });

  test('tokens counted before an answer broke off are reported, and a refused request has none', async () => {
    const countsOf = async (kind: MisbehaviourInput) => {
      misbehave(kind);
      const counts: CountedSoFar[] = [];
      const call = create().complete(request(), undefined, (counted) => counts.push(counted));
      await expect(call).rejects.toBeInstanceOf(ModelError);
      return counts;
    };
    const begun = await countsOf({ kind: 'cut-stream' });
    // Messages reports input tokens at the start, Chat Completions and Responses report all at the end.
    const counted =
      name === 'Anthropic' ? { inputTokens: expect.any(Number), cachedTokens: 0, cacheWriteTokens: 0 } : {};
    expect(Object.assign({}, ...begun)).toEqual(counted);
    expect(begun.length).toBeGreaterThan(0);
    for (const status of [401, 429, 500]) expect(await countsOf({ kind: 'status', status })).toEqual([]);
    const whole: CountedSoFar[] = [];
    const { usage } = await create().complete(request(), undefined, (one) => whole.push(one));
    expect(Object.assign({}, ...whole)).toEqual(usage);
  });

  test("an error has the provider's request id", async () => {
    misbehave({ kind: 'status', status: 500 });
    expect((await errorOf()).message).toContain('(request req_r_1)');
    misbehave({ kind: 'cut-stream' }); // long after its headers
    expect((await errorOf()).message).toMatch(/\(request req_r_1\)$/);
  });

  test('a server that is away is not reported as a bad request', async () => {
    await expect(gone[name].complete(request())).rejects.toMatchObject({
      code: 'ModelUnreachable',
      retryable: true,
    });
  });

  test('a cancelled call ends at once', async () => {
    misbehave({ kind: 'hang' });
    const controller = new AbortController();
    const ended = expect(create().complete(request({ signal: controller.signal }))).rejects.toThrow(
      'a person stopped it',
    );
    await waitFor('the request to arrive', () => model.requests().at(-1)?.outcome === 'open');
    controller.abort(new Error('a person stopped it'));
    await ended;
  });

  test('a cut-off or refused answer is marked', async () => {
    misbehave({ kind: 'truncated' });
    expect(await create().complete(request())).toMatchObject({ finish: 'length', toolCalls: [] });
    misbehave({ kind: 'refusal' });
    expect(await create().complete(request())).toMatchObject({ finish: 'refusal', text: 'I will not do that.' });
    misbehave({ kind: 'filtered' });
    expect(await create().complete(request())).toMatchObject({ finish: 'refusal', toolCalls: [] });
    misbehave({ kind: 'filtered-call' });
    const { finish, toolCalls } = await create().complete(request());
    expect(finish).toBe('refusal');
    expect(toolCalls.map((call) => call.arguments)).toEqual(['{"path":"a.txt"}', '{"path":']);
  });

  test('invalid arguments arrive unchanged', async () => {
    misbehave({ kind: 'malformed-arguments' });
    const { toolCalls } = await create().complete(request());
    expect(toolCalls[0]?.arguments).toBe('{"path":"a.txt", "');
  });
});
