import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connect, Index } from '@lancedb/lancedb';
import type { NewMemory } from '../../../../db/memory/memory.ts';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { learn } from '../../../../db/memory/quality/learn.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-words-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const longWords = [
  '私たちは毎週火曜日の午後に会議を開いています',
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da43',
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
];

/** Creates the table with the word index of earlier versions. */
async function makeFormerIndex(uri: string): Promise<void> {
  await (await openMemoryStore({ uri, embedder: createHashingEmbedder() })).close();
  const connection = await connect(uri);
  const table = await connection.openTable('memories');
  const config = Index.fts({ language: 'English', stem: true, removeStopWords: true, withPosition: false });
  await table.createIndex('text', { config, replace: true });
  table.close();
  connection.close();
}

test.each([
  ['both', async () => {}],
  ['vector', makeFormerIndex],
] as const)('a sentence without spaces and a hash are found by %s', async (why, make) => {
  const uri = join(folder, why);
  await make(uri);
  const store = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
  const memory = (id: string, text: string): NewMemory => ({ id, text, kind: 'fact', scope: 'global' });
  await store.remember(longWords.map((word, index) => memory(`m${index}`, word)));
  for (const [index, query] of longWords.entries()) {
    expect((await store.search({ query, scope: {} }))[0]).toMatchObject({ id: `m${index}`, why });
    expect(await learn(store, memory(`again ${index}`, query), {})).toMatchObject({ outcome: 'known' });
  }
  expect(await store.search({ query: 'the', scope: {} })).toEqual([]);
  await store.close();
});
