import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import type { NewMemory } from '../../../../db/memory/memory.ts';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-vectors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fact = (id: string, text: string): NewMemory => ({ id, text, kind: 'fact', scope: 'global' });
const cents = { query: 'cents', scope: {} };

test('a process with the former model still searches and writes after a reindex', async () => {
  const uri = join(folder, 'former');
  const former = await openMemoryStore({ uri, embedder: createHashingEmbedder(16) });
  await former.remember([fact('a', 'whole cents')]);
  expect(await former.search(cents)).toMatchObject([{ why: 'both' }]);
  const later = await openMemoryStore({ uri, embedder: createHashingEmbedder(32) });
  expect(await later.reindex()).toBe(1);
  expect(await former.search(cents)).toMatchObject([{ id: 'a', why: 'text' }]);

  const another = await openMemoryStore({ uri, embedder: createHashingEmbedder(32) });
  const replacing = await openMemoryStore({ uri, embedder: createHashingEmbedder(16) });
  await replacing.reindex();
  await another.remember([fact('b', 'more cents')]); // this store still assumes vectors of its own length
  expect((await replacing.get(['b']))[0]?.model).toBeUndefined();
  expect(await replacing.reindex()).toBe(1);
  expect((await replacing.search(cents)).map(({ why }) => why)).toEqual(['both', 'both']);
  for (const store of [former, later, another, replacing]) await store.close();
});

test('a death between old and new vectors leaves a store that works', async () => {
  const uri = join(folder, 'death');
  const store = await openMemoryStore({ uri, embedder: createHashingEmbedder(16) });
  await store.remember([fact('a', 'whole cents')]);
  await store.search(cents);
  const connection = await connect(uri);
  const table = await connection.openTable('memories');
  await table.dropColumns(['vector']);
  expect(await store.search(cents)).toMatchObject([{ id: 'a', why: 'text' }]);
  await store.remember([fact('b', 'more cents')]);
  expect(await store.search(cents)).toHaveLength(2);

  const next = await openMemoryStore({ uri, embedder: createHashingEmbedder(32) });
  await next.remember([fact('c', 'other cents')]);
  expect(await next.search(cents)).toContainEqual(expect.objectContaining({ id: 'c', why: 'both' }));
  expect(await next.reindex()).toBe(2);
  table.close();
  connection.close();
  await store.close();
  await next.close();
});

test('a text changed while it is embedded does not get the old vector', async () => {
  const uri = join(folder, 'changed');
  const plain = await openMemoryStore({ uri });
  await plain.remember([fact('a', 'whole cents'), fact('b', 'zebra')]);
  const hashing = createHashingEmbedder(384);
  const embedded: string[][] = [];
  const embedder = {
    ...hashing,
    async embed(texts: string[], purpose: 'document' | 'query') {
      embedded.push(texts.toSorted());
      if (embedded.length === 1) await plain.remember([fact('a', 'rounded euros')]);
      return hashing.embed(texts, purpose);
    },
  };
  const store = await openMemoryStore({ uri, embedder });
  await store.reindex();
  expect(embedded).toEqual([['whole cents', 'zebra'], ['rounded euros']]);
  expect(await store.search({ query: 'rounded euros', scope: {} })).toMatchObject([
    { id: 'a', similarity: expect.closeTo(1, 3) },
  ]);
  await plain.close();
  await store.close();
});
