import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connect, type Table } from '@lancedb/lancedb';
import type { NewMemory } from '../../../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { changeRow } from '../../../../db/memory/table/change-row.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-change-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (name: string) => openMemoryStore({ uri: join(folder, name), embedder: createHashingEmbedder(16) });
const fact = (id: string, text: string): NewMemory => ({ id, text, kind: 'fact', scope: 'global', tags: ['kept'] });

test('a changed memory is found by its new text and keeps the rest', async () => {
  const store = await open('changed');
  const strange = "Ann's \u001f \\ zebra 🎉";
  await store.remember([fact('a', 'whole cents'), fact('b', 'whole cents')]);
  const expiresAt = new Date(Date.now() + 60_000);
  expect(await store.change('a', { text: strange, tags: [], importance: 0.9, expiresAt })).toBe(true);
  expect(await store.get(['a'])).toEqual([
    expect.objectContaining({
      id: 'a',
      text: strange,
      kind: 'fact',
      tags: [],
      importance: 0.9,
      expiresAt,
      model: 'hashing-16',
    }),
  ]);
  expect(await store.search({ query: 'zebra', scope: {} })).toMatchObject([
    { id: 'a', text: strange, tags: [], importance: 0.9, why: 'both' },
  ]);
  expect((await store.search({ query: 'cents', scope: {} })).map(({ id }) => id)).toEqual(['b']);
  expect(await store.change('b', { tags: ['x', "y's"], kind: 'custom' })).toBe(true);
  expect(await store.search({ query: 'cents', scope: {}, tags: ["y's"], kinds: ['custom'] })).toMatchObject([
    { id: 'b', tags: ['x', "y's"], why: 'both' },
  ]);
  await store.change('b', { expiresAt: new Date() });
  expect(await store.search({ query: 'cents', scope: {} })).toEqual([]);
  await expect(store.change('a', { text: ' ' })).rejects.toMatchObject({ code: 'EmptyMemory' });
  await expect(store.change('a', { tags: ['password=hunter2hunter2'] })).rejects.toMatchObject({
    code: 'SecretInMemory',
  });
  expect(await store.change('nothing', { importance: 1 })).toBe(false);
  await store.close();

  const plain = await openMemoryStore({ uri: join(folder, 'changed') });
  await plain.change('a', { text: 'without a model' });
  expect((await plain.get(['a']))[0]).not.toHaveProperty('model'); // the vector of the old text would still find it
  await plain.close();
});

/** Changes the importance of "a" while something else is done to that memory, between the read and the write. */
async function changeMeanwhile(name: string, other: (store: MemoryStore) => Promise<unknown>) {
  const store = await open(name);
  await store.remember([fact('a', 'Ann lives in Paris'), fact('b', 'Ann lives in Rome')]);
  const connection = await connect(join(folder, name), { readConsistencyInterval: 0 });
  const table = await connection.openTable('memories');
  const update = table.update.bind(table) as (given: unknown) => Promise<unknown>;
  table.update = (async (given: unknown) => {
    table.update = update as Table['update'];
    await other(store); // after the change has read the row
    return update(given);
  }) as Table['update'];
  const isChanged = await changeRow(table, 'a', { importance: 0.9 }, undefined);
  const [memory] = await store.get(['a']);
  const found = await store.search({ query: 'Paris', scope: {} });
  table.close();
  connection.close();
  await store.close();
  return { isChanged, memory, found };
}

test('a memory forgotten during a change stays forgotten', async () => {
  expect(await changeMeanwhile('forgotten', (store) => store.forget(['a']))).toEqual({ isChanged: false, found: [] });
});

test('a memory replaced during a change stays replaced', async () => {
  const { memory } = await changeMeanwhile('superseded', (store) => store.supersede(['a'], 'b'));
  expect(memory).toMatchObject({ supersededBy: 'b', importance: 0.9 });
});

test('two changes at once are both kept', async () => {
  const { memory, found } = await changeMeanwhile('twice', (store) => store.change('a', { tags: ['new'] }));
  expect(memory).toMatchObject({ tags: ['new'], importance: 0.9 });
  expect(found[0]).toMatchObject({ id: 'a', tags: ['new'], importance: 0.9 });
});

test('tags that are replaced during a change are kept, and so is the change', async () => {
  const { memory, found } = await changeMeanwhile('retagged', (store) => store.retag([{ id: 'a', tags: ['new'] }]));
  expect(memory).toMatchObject({ tags: ['new'], importance: 0.9 });
  expect(found[0]).toMatchObject({ id: 'a', tags: ['new'], importance: 0.9 });
});
