import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { createHashingEmbedder } from '../../../db/memory/hashing-embedder.ts';
import { type Memory, type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';

const folders: string[] = [];
let uri: string;
let store: MemoryStore;

beforeEach(async () => {
  uri = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  folders.push(uri);
  store = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
});
afterEach(() => store.close());
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function memory(id: string, text: string, changes: Partial<Memory> = {}): Memory {
  return {
    id,
    text,
    kind: 'decision',
    scope: 'project',
    projectId: 'p',
    lineageId: 'p/l1',
    sequence: 1,
    source: id,
    createdAt: new Date('2026-01-01'),
    ...changes,
  };
}

const everything = [{ lineageId: 'p/l1', upToSequence: Number.MAX_SAFE_INTEGER }];

async function recalled(text: string, ranges = everything): Promise<string[]> {
  return (await store.recall({ text, projectId: 'p', ranges, limit: 5 })).map((one) => one.id);
}

test('the memory that shares its words with the question comes first', async () => {
  await store.remember([
    memory('cents', 'Amounts are whole cents'),
    memory('files', 'Commands are modules that are found'),
  ]);
  expect((await recalled('how are amounts of money kept, in cents?'))[0]).toBe('cents');
});

test('a memory that is written again is one row', async () => {
  await store.remember([memory('a', 'first text')]);
  await store.remember([memory('a', 'second text')]);
  expect(await store.recall({ text: 'text', projectId: 'p', ranges: everything, limit: 5 })).toMatchObject([
    { text: 'second text' },
  ]);
});

test('what the present lineage has left behind is not recalled', async () => {
  await store.remember([
    memory('kept', 'whole cents', { sequence: 3 }),
    memory('left', 'whole cents too', { sequence: 9 }),
  ]);
  expect(await recalled('cents', [{ lineageId: 'p/l1', upToSequence: 5 }])).toEqual(['kept']);
  expect(await recalled('cents', [{ lineageId: 'p/l2', upToSequence: 99 }])).toEqual([]);
});

test("another project's decisions stay its own, its lessons do not", async () => {
  await store.remember([
    memory('foreign', 'whole cents', { projectId: 'q', lineageId: 'q/l1' }),
    memory('lesson', 'cents were rounded wrongly', {
      projectId: 'q',
      lineageId: 'q/l1',
      kind: 'lesson',
      scope: 'global',
    }),
  ]);
  expect(await recalled('cents')).toEqual([]);
  const others = await store.recallFromOthers({ text: 'rounded cents', projectId: 'p', limit: 5 });
  expect(others.map((one) => one.id)).toEqual(['lesson']);
  expect(await store.recallFromOthers({ text: 'rounded cents', projectId: 'q', limit: 5 })).toEqual([]);
});

test('quotes in ids do not break out of the filter', async () => {
  const projectId = "p' or 'a' = 'a";
  await store.remember([memory('mine', 'whole cents')]);
  expect(await store.recall({ text: 'cents', projectId, ranges: everything, limit: 5 })).toEqual([]);
});

test('two processes that open an empty store at once both get the one table', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  folders.push(folder);
  const open = () => openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
  const [one, other] = await Promise.all([open(), open()]);
  await one.remember([memory('a', 'whole cents')]);
  expect(await other.recall({ text: 'cents', projectId: 'p', ranges: everything, limit: 5 })).toHaveLength(1);
  one.close();
  other.close();
});

test('a question without a word finds nothing rather than anything', async () => {
  await store.remember([memory('a', 'whole cents')]);
  expect(await recalled('')).toEqual([]);
  expect(await recalled('the of !!')).toEqual([]);
});
