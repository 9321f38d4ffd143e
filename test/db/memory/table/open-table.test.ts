import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { memorySchema } from '../../../../db/memory/table/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-open-table-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a memory that two processes write at once is one, although the table's maker was killed", async () => {
  const uri = join(folder, 'killed');
  const connection = await connect(uri);
  (await connection.createEmptyTable('memories', memorySchema(384), { mode: 'create' })).close();
  connection.close();
  const stores = await Promise.all([openMemoryStore({ uri }), openMemoryStore({ uri })]);
  const rounds = 10;
  for (let round = 0; round < rounds; round += 1) {
    const memory = { id: `m${round}`, text: `memory number ${round}`, kind: 'fact', scope: 'global' as const };
    await Promise.all(stores.map((store) => store.remember([memory])));
  }
  expect(await stores[0]?.count({ scope: 'everything' })).toBe(rounds);
  for (const store of stores) await store.close();
});

test('a store whose maker was killed before its first version can be opened', async () => {
  const uri = join(folder, 'begun');
  mkdirSync(join(uri, 'memories.lance', 'data'), { recursive: true });
  const stores = await Promise.all([openMemoryStore({ uri }), openMemoryStore({ uri })]);
  await stores[0]?.remember([{ id: 'm', text: 'kept', kind: 'fact', scope: 'global' }]);
  expect(await stores[1]?.count({ scope: 'everything' })).toBe(1);
  for (const store of stores) await store.close();
});
