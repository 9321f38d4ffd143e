import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { importMemories } from '../../../client/memory/import-memories.ts';
import type { Memory } from '../../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withStore(name: string, work: (store: MemoryStore) => Promise<void>): Promise<void> {
  const store = await openMemoryStore({ uri: join(folder, name) });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** Newest first, like an export; the last one is the oldest, which survives a merge of duplicates. */
const exported = Array.from({ length: 150 }, (_, index) => ({
  id: `m${150 - index}`,
  text: `memory number ${150 - index}`,
  kind: 'fact',
  scope: 'project',
  projectId: 'p',
  lineageId: 'p/l1',
  sequence: 150 - index,
  createdAt: new Date(Date.UTC(2026, 0, 1) - index * 1_000).toISOString(),
  ...(index === 0 && { supersededBy: 'm1' }),
  ...(index === 1 && { supersededBy: 'nowhere' }),
}));

const successorOf = async (store: MemoryStore, id: string) => ((await store.get([id]))[0] as Memory).supersededBy;

test('a replaced memory stays replaced if its successor comes in a later batch', () =>
  withStore('merged', async (store) => {
    for (let time = 0; time < 2; time += 1) expect(await importMemories(store, exported)).toBe(150);
    const place = { supersededLineage: 'p/l1', supersededSequence: 1 };
    expect(await store.get(['m150'])).toMatchObject([{ supersededBy: 'm1', ...place }]);
    expect(await successorOf(store, 'm149')).toBe('nowhere'); // its successor was forgotten
    await store.supersede(['m148'], 'm1');
    await importMemories(store, exported);
    expect(await successorOf(store, 'm148')).toBe('m1'); // replaced since the export
  }));

test('an import that fails keeps the memories before it', () =>
  withStore('broken off', async (store) => {
    const lines = [...exported.slice(0, 3), exported.at(-1), { id: 'a' }];
    await expect(importMemories(store, lines)).rejects.toMatchObject({ code: 'InvalidInput' });
    expect(await store.count({ scope: 'everything', history: true })).toBe(4);
    expect(await successorOf(store, 'm150')).toBe('m1');
  }));

test('an import refuses a memory without words and says which', () =>
  withStore('without words', async (store) => {
    const [first] = exported;
    await expect(importMemories(store, [first, { ...first, id: 'spaces', text: ' \n' }])).rejects.toThrow(
      'Expected memory 2 as `longhaul memory export` writes it. text: Expected a text, got an empty one.',
    );
  }));
