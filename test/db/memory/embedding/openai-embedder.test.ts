import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readModelSettings } from '../../../../config/model-settings.ts';
import { openEmbedder } from '../../../../db/memory/embedding/open-embedder.ts';
import { openOpenAiEmbedder } from '../../../../db/memory/embedding/openai-embedder.ts';

/** A server that speaks OpenAI's protocol; a text's vector is its length and 1, and answers come in the wrong order. */
const requests: Array<{ path: string; input: string[]; model: string }> = [];
let failures: number;
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
  const data = (body.input as string[]).map((text, index) => ({ index, embedding: [text.length, 1] })).reverse();
  response.end(JSON.stringify({ data, model: body.model }));
});
let baseUrl: string;

beforeEach(async () => {
  requests.length = 0;
  failures = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const open = () => openOpenAiEmbedder({ name: 'vllm', model: 'nomic', baseUrl, headers: false });

test('vectors would be given to the wrong texts, or not have unit length', async () => {
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

test('a server that is busy for a moment would fail the write', async () => {
  const embedder = await open();
  failures = 2;
  expect(await embedder.embed(['abc'], 'query')).toHaveLength(1);
});

test('an empty text would be refused by the server', async () => {
  const embedder = await open();
  expect(await embedder.embed([''], 'document')).toHaveLength(1);
  expect(requests.at(-1)?.input).toEqual([' ']);
});

test('a named server that does not answer would keep a worker from starting, or be passed over in silence', async () => {
  const settings = readModelSettings(
    { VLLM_BASE_URL: 'http://127.0.0.1:9/v1', LONGHAUL_MODEL_EMBEDDING: 'vllm/nomic' },
    {},
  );
  const { embedder, notice } = await openEmbedder('/nowhere', settings);
  expect(embedder).toBeUndefined();
  expect(notice).toMatch(/by their words only: LONGHAUL_MODEL_EMBEDDING=vllm\/nomic does not answer\. .*reached/);
});

test('without the local model nobody would be told why meaning is not searched', async () => {
  expect(await openEmbedder('/nowhere', readModelSettings({}, {}))).toEqual({
    notice: expect.stringContaining('longhaul setup'),
  });
  expect(await openEmbedder('/nowhere', readModelSettings({ LONGHAUL_MODEL_EMBEDDING: 'none' }, {}))).toEqual({});
});
