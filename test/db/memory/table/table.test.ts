import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import type { Memory } from '../../../../db/memory/memory.ts';
import { openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { createCompactionTrigger } from '../../../../db/memory/table/compaction-trigger.ts';
import { memorySchema } from '../../../../db/memory/table/schema.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

describe('opening', () => {
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
});

describe('writing', () => {
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
});

describe('forgotten memories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-forgotten-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The names of the files that contain the word; so few rows are stored uncompressed. */
  function filesWith(word: string, uri: string): string[] {
    return readdirSync(uri, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(word))
      .map(({ name }) => name);
  }

  test('the text of a forgotten memory leaves the files, and the others are still found', async () => {
    const uri = join(folder, 'german');
    const store = await openMemoryStore({ uri, embedder: createHashingEmbedder(), language: 'German' });
    const memory = (index: number) => ({
      id: `m${index}`,
      text: index === 50 ? 'Zwiebelturm in Lissabon' : `Die Häuser Nummer ${index}`,
      kind: 'fact',
      scope: 'global' as const,
    });
    await store.remember(Array.from({ length: 100 }, (_, index) => memory(index)));
    await store.optimize();
    expect(filesWith('Zwiebelturm', uri)).toHaveLength(1);

    const other = await openMemoryStore({ uri, embedder: createHashingEmbedder() }); // opened with another language than the table's
    expect(await other.forget(['m50'])).toBe(1);
    await other.optimize();
    // Without the clean-up, earlier versions that contain it would be kept for an hour.
    const connection = await connect(uri);
    const table = await connection.openTable('memories');
    await table.optimize({ cleanupOlderThan: new Date() });
    expect(filesWith('Zwiebelturm', uri)).toEqual([]);
    const version = await table.version();
    await other.optimize();
    await table.checkoutLatest();
    expect(await table.version()).toBe(version); // it is not rewritten each time

    expect(await store.count({ scope: {} })).toBe(99);
    expect(await store.search({ query: 'Haus', scope: {}, limit: 1 })).toMatchObject([{ why: 'both' }]); // by its German stem too
    expect(await store.search({ query: 'Nummer 7', scope: {}, limit: 1 })).toMatchObject([{ id: 'm7', why: 'both' }]);
    table.close();
    connection.close();
    await store.close();
    await other.close();
  });
});

describe('the trigger of a compaction', () => {
  async function callsAfter(writes: number, rows: number): Promise<number> {
    let calls = 0;
    const compactionTrigger = createCompactionTrigger(
      async () => rows,
      () => {
        calls += 1;
      },
    );
    for (let write = 0; write < writes; write += 1) await compactionTrigger.written();
    return calls;
  }

  test.each([
    { writes: 19, rows: 100, calls: 0 },
    { writes: 20, rows: 100, calls: 1 },
    { writes: 60, rows: 100, calls: 3 },
    { writes: 20, rows: 100_000, calls: 0 },
    { writes: 60, rows: 100_000, calls: 1 },
    { writes: 80, rows: 10_000_000, calls: 0 },
    { writes: 100, rows: 10_000_000, calls: 1 },
  ])('after $writes writes to $rows memories compaction runs $calls times', async (one) => {
    expect(await callsAfter(one.writes, one.rows)).toBe(one.calls);
  });

  test('what another process compacted is not compacted again', async () => {
    let calls = 0;
    const compactionTrigger = createCompactionTrigger(
      async () => 0,
      () => {
        calls += 1;
      },
    );
    for (let write = 0; write < 19; write += 1) await compactionTrigger.written();
    compactionTrigger.compacted();
    await compactionTrigger.written();
    expect(calls).toBe(0);
  });
});
