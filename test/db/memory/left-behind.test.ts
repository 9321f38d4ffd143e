import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NewMemory, Reader } from '../../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';

const uri = mkdtempSync(join(tmpdir(), 'longhaul-left-behind-'));
let store: MemoryStore;

beforeAll(async () => {
  store = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
});
afterAll(async () => {
  await store.close();
  rmSync(uri, { recursive: true, force: true });
});

const found = async (scope: Reader) => (await store.search({ query: 'cents', scope })).map(({ id }) => id);

test('a note merged into one of another branch stays visible in its own branch', async () => {
  const note = (id: string, run: string): NewMemory => ({
    ...{ id, text: 'cents are rounded', kind: 'fact', scope: 'session', sessionId: 'c' },
    source: { run, message: 3 },
  });
  await store.remember([note('left', 'r1'), note('current', 'r2')]);
  await store.replace((await store.get(['left'])).map((by) => ({ id: 'current', by })));
  expect(await found({ sessionId: 'c', branch: [{ lineageId: 'r2', upToSequence: 99 }] })).toEqual(['current']);
  expect(await found({ sessionId: 'c' })).toEqual(['left']);
});
