import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { readModelSettings } from '../../../config/settings/model-settings.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import type { Embedder } from '../../../domain/memory/embedder.ts';
import { createLocalEmbedder } from '../../../models/embedding/local-embedder.ts';
import { openEmbedder } from '../../../models/embedding/open-embedder.ts';
import { findEmbeddingModel } from '../../support/memory/embedding-model.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** A server that speaks OpenAI's protocol and returns vectors of three dimensions. */
function createEmbeddingServer(): Server {
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { input, model } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[]; model: string };
    const data = input.map((text, index) => ({ index, embedding: [text.length, 1, 1] }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, model }));
  });
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function letAMinutePass(): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
}

const cents = { query: 'cents', scope: {} };
const fact = (id: string, text: string) => ({ id, text, kind: 'fact', scope: 'global' as const });

async function openWith(settings: Record<string, string>, modelFolder: string) {
  const { notice, ...opened } = await openEmbedder(modelFolder, readModelSettings(settings, {}));
  expect(opened.embedder).toBeUndefined();
  const notices: string[] = [];
  const uri = join(folder, 'lancedb');
  return { store: await openMemoryStore({ uri, ...opened, onNotice: (text) => notices.push(text) }), notice, notices };
}

test('a worker gets vectors once its embedding server is up', async () => {
  const server = createEmbeddingServer();
  const port = await listen(server, 0);
  await close(server);
  const settings = { VLLM_BASE_URL: `http://127.0.0.1:${port}/v1`, LONGHAUL_MODEL_EMBEDDING: 'vllm/nomic' };
  const { store, notice, notices } = await openWith(settings, '/nowhere');
  expect(notice).toContain('does not answer');
  await store.remember([fact('a', 'whole cents')]);
  expect(await store.search(cents)).toMatchObject([{ id: 'a', why: 'text' }]);
  await listen(server, port);
  letAMinutePass();
  await store.optimize();
  await store.remember([fact('b', 'more cents')]);
  expect(await store.stats()).toMatchObject({ model: 'vllm/nomic', awaitsModel: false, withoutVector: 0 });
  expect((await store.search(cents)).map(({ why }) => why)).toEqual(['both', 'both']);
  expect(notices).toEqual([expect.stringContaining('vllm/nomic is available now')]);
  await store.close();
  await close(server);
});

test('a worker gets vectors once the local model is downloaded', async () => {
  const modelFolder = join(folder, 'model');
  const { store, notice } = await openWith({}, modelFolder);
  expect(notice).toContain('longhaul setup');
  await store.remember([fact('a', 'Amounts are whole cents')]);
  cpSync(await findEmbeddingModel(), modelFolder, { recursive: true });
  letAMinutePass();
  expect(await store.stats()).toMatchObject({ awaitsModel: false, withoutVector: 1 });
  expect(await store.reindex()).toBe(1);
  expect(await store.search({ query: 'How do we store money?', scope: {} })).toMatchObject([
    { id: 'a', why: 'vector' },
  ]);
  await store.close();
}, 600_000);

let embedder: Embedder;

beforeAll(async () => {
  embedder = createLocalEmbedder(await findEmbeddingModel());
}, 600_000);

test('texts of one meaning without a common word are close', async () => {
  const [question = [], fits = [], other = []] = await embedder.embed(
    ['How do we store money?', 'Amounts are kept in whole cents', 'The dog ran through the park'],
    'document',
  );
  expect(cosine(question, fits)).toBeGreaterThan(cosine(question, other) + 0.15);
  expect(fits).toHaveLength(embedder.dimensions);
  expect(Math.hypot(...fits)).toBeCloseTo(1, 4);
});

test('the vector of a text does not depend on the other texts', async () => {
  const texts = ['short', 'a text that is rather longer than the first one, so that the first one is padded', 'third'];
  const together = await embedder.embed(texts, 'document');
  for (const [index, text] of texts.entries()) {
    const [alone = []] = await embedder.embed([text], 'document');
    expect(cosine(alone, together[index] ?? [])).toBeGreaterThan(0.99); // int8 activations are scaled per run, hence not exactly 1
  }
});

test('no text, an empty one, 100 KB, emoji and other scripts are accepted', async () => {
  expect(await embedder.embed([], 'document')).toEqual([]);
  const vectors = await embedder.embed(['', 'word '.repeat(20_000), '😀😀', '日本語のテキスト', '\ud800'], 'document');
  for (const vector of vectors) expect(vector.every(Number.isFinite)).toBe(true);
});

test('a missing model is reported when it is opened', async () => {
  await expect(createLocalEmbedder('/nowhere').embed(['text'], 'query')).rejects.toThrow(/vocab\.txt|model\.onnx/);
});

function cosine(left: number[], right: number[]): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}
