import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
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

test('a sentence without spaces and a hash are found by words and vector', async () => {
  const uri = join(folder, 'long-words');
  const store = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
  const memory = (id: string, text: string): NewMemory => ({ id, text, kind: 'fact', scope: 'global' });
  await store.remember(longWords.map((word, index) => memory(`m${index}`, word)));
  for (const [index, query] of longWords.entries()) {
    expect((await store.search({ query, scope: {} }))[0]).toMatchObject({ id: `m${index}`, why: 'both' });
    expect(await learn(store, memory(`again ${index}`, query), {})).toMatchObject({ outcome: 'known' });
  }
  expect(await store.search({ query: 'the', scope: {} })).toEqual([]);
  await store.close();
});
