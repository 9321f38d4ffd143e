import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import type { Memory } from '../../../../db/memory/memory.ts';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

const uri = mkdtempSync(join(tmpdir(), 'longhaul-write-'));
afterAll(() => rmSync(uri, { recursive: true, force: true }));

test('indexed memories can be embedded, merged and tagged, and stay in the indexes', async () => {
  const plain = await openMemoryStore({ uri });
  const fact = (index: number) => ({
    id: `m${index}`,
    text: `memory number ${index}`,
    kind: 'fact',
    scope: 'global' as const,
  });
  await plain.remember(Array.from({ length: 200 }, (_, index) => fact(index)));
  await plain.optimize();
  await plain.close();

  const store = await openMemoryStore({ uri, embedder: createHashingEmbedder(384) });
  expect(await store.reindex()).toBe(200);
  expect(await store.search({ query: 'memory number 7', scope: {}, limit: 1 })).toMatchObject([
    { id: 'm7', why: 'both' },
  ]);
  await store.optimize();
  const [first] = await store.get(['m0']);
  await store.replace([{ id: 'm1', by: first as Memory }]);
  await store.replace([{ id: 'm1', by: { ...(first as Memory), id: 'm2' } }]); // "m1" is superseded already and stays so
  await store.retag([{ id: 'm3', tags: ['x'] }]);
  expect(await store.get(['m1'])).toMatchObject([{ supersededBy: 'm0' }]);
  expect(await store.get(['m3'])).toMatchObject([{ tags: ['x'] }]);
  await store.close();
  const connection = await connect(uri);
  const table = await connection.openTable('memories');
  const indexes = await table.listIndices();
  expect(indexes.map(({ columns, numUnindexedRows }) => [...columns, numUnindexedRows])).toEqual([
    ['id', 2],
    ['text', 2],
  ]);
  table.close();
  connection.close();
});
