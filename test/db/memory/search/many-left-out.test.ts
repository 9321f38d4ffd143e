import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NewMemory, Reader } from '../../../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-left-out-'));
let store: MemoryStore;

const count = 400;
const wanted = Array.from({ length: 30 }, (_, index) => `wanted ${index}`).sort();

/** For every query below there are hundreds of memories that fit better but must not be shown. */
beforeAll(async () => {
  store = await openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
  const nearer = (id: string, changes: Partial<NewMemory>) =>
    Array.from({ length: count }, (_, index) => memory(`${id} ${index}`, 'zebra zebra', changes));
  await store.remember([
    ...nearer('superseded', {}),
    ...nearer('expired', { expiresAt: new Date(Date.now() - 1_000) }),
    ...nearer('left behind', { sequence: 9 }),
    ...nearer('global, left behind', { sequence: 9, scope: 'global' }),
    ...wanted.map((id) => memory(id, 'a zebra among many other words that nobody asks for')),
    ...nearer('note of another branch', { ...chat, source: { run: 'r1', message: 9 } }),
    ...wanted.map((id) =>
      memory(`${id}, of the chat`, 'a zebra among many other words that nobody asks for', {
        ...chat,
        source: { run: 'r1', message: 5 },
      }),
    ),
  ]);
  await store.supersede(
    Array.from({ length: count }, (_, index) => `superseded ${index}`),
    'wanted 0',
  );
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const chat = {
  ...{ scope: 'session' as const, sessionId: 'c' },
  ...{ projectId: undefined, lineageId: undefined, sequence: undefined },
};

function memory(id: string, text: string, changes: Partial<NewMemory> = {}): NewMemory {
  return {
    id,
    text: `${text} ${id}`,
    kind: 'fact',
    scope: 'project',
    projectId: 'p',
    lineageId: 'l1',
    sequence: 1,
    ...changes,
  };
}

test.each([true, false])('excluded memories do not displace matches (indexes: %s)', async (indexed) => {
  if (indexed) await store.optimize();
  const scope: Reader = { project: { id: 'p', ranges: [{ lineageId: 'l1', upToSequence: 5 }] } };
  const found = await store.search({ query: 'zebra', scope, limit: wanted.length });
  expect(found.map(({ id }) => id).sort()).toEqual(wanted);
  expect(found.every(({ why }) => why === 'both')).toBe(true);

  const branch = [
    { lineageId: 'r2', upToSequence: 99 },
    { lineageId: 'r1', upToSequence: 5 },
  ];
  const inBranch: Reader = { sessionId: 'c', branch, reach: 'own' };
  const noted = await store.search({ query: 'zebra', scope: inBranch, limit: wanted.length });
  expect(noted.map(({ id }) => id).sort()).toEqual(wanted.map((id) => `${id}, of the chat`));
});
