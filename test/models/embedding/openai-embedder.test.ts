import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readModelSettings } from '../../../config/settings/model-settings.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { readCassette } from '../../../models/cassette/cassette.ts';
import type { EmbeddingCall } from '../../../models/embedding/embedding-call.ts';
import { openEmbedder } from '../../../models/embedding/open-embedder.ts';
import { openOpenAiEmbedder } from '../../../models/embedding/openai-embedder.ts';

/** The requests to a server that speaks OpenAI's protocol: a text's vector is its length and 1, and the vectors come back in reverse order. */
const requests: Array<{ path: string; input: string[]; model: string }> = [];
let failures: number;
/** The most characters of one text, and of all texts of one request. */
let limits: { text: number; request: number };
let usage: { prompt_tokens: number; total_tokens: number } | undefined;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  requests.push({ path: request.url ?? '', ...body });
  response.setHeader('content-type', 'application/json');
  if (failures > 0) {
    failures -= 1;
    response.writeHead(500, { 'retry-after-ms': '1' }).end('{"error":{"message":"busy"}}');
    return;
  }
  const lengths = (body.input as string[]).map((text) => text.length);
  if (Math.max(...lengths) > limits.text || lengths.reduce((sum, length) => sum + length, 0) > limits.request) {
    response.writeHead(400).end('{"error":{"message":"Invalid \'input\': too many tokens."}}');
    return;
  }
  const data = (body.input as string[]).map((text, index) => ({ index, embedding: [text.length, 1] })).reverse();
  response.setHeader('x-request-id', `req_${requests.length}`);
  response.end(JSON.stringify({ data, model: body.model, usage }));
});
let baseUrl: string;

beforeEach(async () => {
  requests.length = 0;
  failures = 0;
  limits = { text: Number.POSITIVE_INFINITY, request: Number.POSITIVE_INFINITY };
  usage = { prompt_tokens: 1_000_000, total_tokens: 1_000_000 };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const open = () => openOpenAiEmbedder({ name: 'vllm', model: 'nomic', baseUrl, headers: false });

test('each text gets its own vector, with unit length', async () => {
  const embedder = await open();
  expect(embedder).toMatchObject({ model: 'vllm/nomic', dimensions: 2 });
  const texts = Array.from({ length: 130 }, (_, index) => 'x'.repeat(index + 1));
  const vectors = await embedder.embed(texts, 'document');
  vectors.forEach(([length = 0, one = 0], index) => {
    expect(length / one).toBeCloseTo(index + 1, 6);
    expect(Math.hypot(length, one)).toBeCloseTo(1, 6);
  });
  expect(requests.map(({ input }) => input.length)).toEqual([1, 64, 64, 2]);
  expect(requests[1]).toMatchObject({ path: '/v1/embeddings', model: 'nomic' });
});

test('a server that is busy for a moment does not fail the write', async () => {
  const embedder = await open();
  failures = 2;
  expect(await embedder.embed(['abc'], 'document')).toHaveLength(1);
  failures = 1;
  expect(await embedder.embed(['abc'], 'query')).toHaveLength(1);
});

test('every paid call is reported, failed ones too', async () => {
  const calls: EmbeddingCall[] = [];
  const model = 'text-embedding-3-small';
  const onCall = (call: EmbeddingCall) => void calls.push(call);
  const embedder = await openOpenAiEmbedder({ name: 'openai', model, baseUrl, headers: false }, onCall);
  failures = 1;
  await embedder.embed(['abc'], 'document');
  usage = undefined;
  await embedder.embed(['abc'], 'query');
  const answered = { usage: { inputTokens: 1_000_000, outputTokens: 0 }, costUsd: 0.02, attempt: 1 };
  const of = { model: `openai/${model}`, durationMs: expect.any(Number) };
  expect(calls).toMatchObject([
    { ...of, ...answered, requestId: 'req_1' },
    { ...of, error: { code: 'ModelServerError' }, usage: { inputTokens: null }, costUsd: null, attempt: 1 },
    { ...of, ...answered, attempt: 2 },
    { ...of, usage: null, costUsd: null, attempt: 1 }, // the server reported no usage
  ]);
  expect(calls.map(({ error }) => error === undefined)).toEqual([true, false, true, true]);
});

test('an unanswered embedding call is reported with unknown cost', async () => {
  const calls: EmbeddingCall[] = [];
  const address = { name: 'vllm', model: 'nomic', baseUrl, headers: false };
  const embedder = await openOpenAiEmbedder(address, (call) => void calls.push(call));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(embedder.embed(['abc'], 'query')).rejects.toMatchObject({ code: 'ModelUnreachable' });
  expect(calls.slice(1)).toMatchObject([1, 2].map((attempt) => ({ attempt, costUsd: 0, usage: { inputTokens: 0 } })));
});

test('texts that are too long or too many for one request are split', async () => {
  const embedder = await open();
  limits = { text: 1_000, request: 5_000 };
  const lengths = Array.from({ length: 100 }, (_, index) => (index % 40 === 7 ? 30_000 : 90));
  const texts = lengths.map((length) => 'x'.repeat(length));
  const vectors = await embedder.embed(texts, 'document');
  // Halved five times, 24,000 characters become 750.
  expect(vectors.map(([length = 0, one = 0]) => Math.round(length / one))).toEqual(
    lengths.map((length) => Math.min(length, 750)),
  );
  expect(await embedder.embed(['x'.repeat(1_500)], 'query')).toHaveLength(1);
});

test('any other refused request is not sent again', async () => {
  const embedder = await open();
  limits = { text: 0, request: 0 };
  await expect(embedder.embed(['x'.repeat(1_000), 'y'], 'document')).rejects.toMatchObject({
    code: 'ModelRequestRefused',
  });
  expect(requests.length).toBeLessThan(10);
});

test('a memory too long for the model does not keep others from their vectors', async () => {
  const uri = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  const memory = (index: number) => ({
    id: `m${index}`,
    text: `memory ${index} ${'and more '.repeat(index === 0 ? 1_000 : 1)}`,
    kind: 'fact',
    scope: 'global' as const,
  });
  const plain = await openMemoryStore({ uri });
  await plain.remember(Array.from({ length: 70 }, (_, index) => memory(index)));
  await plain.close();
  limits.text = 1_000;
  const store = await openMemoryStore({ uri, embedder: await open() });
  expect(await store.reindex()).toBe(70);
  await store.remember([memory(70), { ...memory(0), id: 'long' }]);
  expect(await store.stats()).toMatchObject({ memories: 72, withoutVector: 0 });
  await store.close();
  rmSync(uri, { recursive: true });
});

test('an empty text is not sent', async () => {
  const embedder = await open();
  expect(await embedder.embed([''], 'document')).toHaveLength(1);
  expect(requests.at(-1)?.input).toEqual([' ']);
});

test('a named server that does not answer is reported, and the worker starts', async () => {
  const settings = readModelSettings(
    { VLLM_BASE_URL: 'http://127.0.0.1:9/v1', LONGHAUL_MODEL_EMBEDDING: 'vllm/nomic' },
    {},
  );
  const { embedder, notice } = await openEmbedder('/nowhere', settings);
  expect(embedder).toBeUndefined();
  expect(notice).toMatch(
    /by their words only: LONGHAUL_MODEL_EMBEDDING=vllm\/nomic does not answer\. Could not reach vllm/,
  );
});

test('exchanges for vectors are recorded without the key', async () => {
  const recordTo = await mkdtemp(join(tmpdir(), 'longhaul-cassette-'));
  const key = 'key-of-a-server-0123456789';
  try {
    const settings = readModelSettings(
      { VLLM_BASE_URL: baseUrl, VLLM_API_KEY: key, LONGHAUL_MODEL_EMBEDDING: 'vllm/nomic' },
      { recordTo },
    );
    const { embedder } = await openEmbedder('/nowhere', settings);
    await embedder?.embed([`My key is ${key}.`], 'document');
    const [name = '', ...more] = await readdir(recordTo);
    expect(more).toEqual([]);
    expect(await readFile(join(recordTo, name), 'utf8')).not.toContain(key);
    const exchanges = await readCassette(join(recordTo, name));
    expect(exchanges.map(({ request }) => request.body)).toMatchObject([
      { model: 'nomic', input: ['dimensions'] },
      { model: 'nomic', input: [`My key is ${'*'.repeat(key.length)}.`] },
    ]);
  } finally {
    await rm(recordTo, { recursive: true });
  }
});

test('a missing local model is reported', async () => {
  expect(await openEmbedder('/nowhere', readModelSettings({}, {}))).toMatchObject({
    notice: expect.stringContaining('longhaul setup'),
  });
  expect(await openEmbedder('/nowhere', readModelSettings({ LONGHAUL_MODEL_EMBEDDING: 'none' }, {}))).toEqual({});
});
