import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { NewMemory, Reader } from '../../../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { learn, saysSame } from '../../../../db/memory/quality/learn.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';

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

const everything = [{ lineageId: 'l1', upToSequence: Number.MAX_SAFE_INTEGER }];
const reader: Reader = { project: { id: 'p', ranges: everything } };

function fact(id: string, text: string, changes: Partial<NewMemory> = {}): NewMemory {
  return { id, text, kind: 'fact', scope: 'project', projectId: 'p', lineageId: 'l1', sequence: 1, ...changes };
}

const current = async () => (await store.list({ scope: reader })).map(({ id }) => id).sort();

test('a known memory is not written again', async () => {
  await learn(store, fact('a', 'The upload limit is 5 MB'), reader);
  expect(await learn(store, fact('b', 'the upload limit is 5 MB!'), reader)).toEqual({
    id: 'a',
    outcome: 'known',
    superseded: [],
  });
  expect(await current()).toEqual(['a']);
});

test.each<[last: string, expiresAt: Date | undefined]>([
  ['for good', undefined],
  ['longer', new Date('2101-01-01')],
])('a memory to keep %s is not merged into one that expires', async (_, expiresAt) => {
  await learn(store, fact('a', 'Deploys are frozen', { expiresAt: new Date('2100-12-01') }), reader);
  expect(await learn(store, fact('b', 'Deploys are frozen', { expiresAt }), reader)).toEqual({
    id: 'b',
    outcome: 'added',
    superseded: ['a'],
  });
  expect(await learn(store, fact('c', 'Deploys are frozen', { expiresAt }), reader)).toMatchObject({ id: 'b' });
  const sooner = { expiresAt: new Date('2100-01-01') };
  expect(await learn(store, fact('d', 'Deploys are frozen', sooner), reader)).toMatchObject({ outcome: 'known' });
  expect(await current()).toEqual(['b']);
});

test('a fact replaces the one that it contradicts, which stays as history', async () => {
  await learn(store, fact('a', 'The upload limit is 5 MB'), reader);
  expect(await learn(store, fact('b', 'The upload limit is 50 MB', { sequence: 2 }), reader)).toMatchObject({
    outcome: 'added',
    superseded: ['a'],
  });
  expect(await current()).toEqual(['b']);
  expect(await store.get(['a'])).toMatchObject([{ text: 'The upload limit is 5 MB', supersededBy: 'b' }]);
});

test('a retried write is not its own duplicate and keeps what it replaced', async () => {
  await learn(store, fact('a', 'The upload limit is 5 MB'), reader);
  await store.remember([fact('b', 'The upload limit is 50 MB')]); // killed before it could supersede
  expect(await learn(store, fact('b', 'The upload limit is 50 MB'), reader)).toEqual({
    id: 'b',
    outcome: 'added',
    superseded: ['a'],
  });
  expect(await current()).toEqual(['b']);
});

test("another project's fact or a global one is not taken for the same", async () => {
  await store.remember([
    fact('foreign', 'The upload limit is 5 MB', { projectId: 'q' }),
    fact('global', 'The upload limit is 5 MB', { projectId: undefined, scope: 'global', lineageId: undefined }),
  ]);
  expect(await learn(store, fact('a', 'The upload limit is 5 MB'), reader)).toMatchObject({ outcome: 'added' });
  expect(await learn(store, fact('b', 'The upload limit is 6 MB'), reader)).toMatchObject({ superseded: ['a'] });
  expect(await current()).toEqual(['b', 'global']);
});

test("an identical memory for other readers does not hide one's own", async () => {
  const text = 'The upload limit is 5 MB';
  await store.remember([
    fact('own', text),
    ...Array.from({ length: 12 }, (_, index) =>
      fact(`session ${index}`, text, { scope: 'session', sessionId: 's', createdAt: new Date(Date.now() + index) }),
    ),
    fact('global', text, { projectId: undefined, scope: 'global', lineageId: undefined, importance: 1 }),
  ]);
  const seen = { ...reader, sessionId: 's' };
  expect(await learn(store, fact('same', text), seen)).toMatchObject({ id: 'own', outcome: 'known' });
  expect(await learn(store, fact('new', 'The upload limit is 50 MB'), seen)).toMatchObject({ superseded: ['own'] });
});

test('a retried write does not bring back what was contradicted or forgotten meanwhile', async () => {
  const [first, second] = [fact('a', 'Ann lives in Paris'), fact('b', 'Ann lives in Rome')];
  await learn(store, first, reader);
  await learn(store, second, reader);
  expect(await learn(store, first, reader)).toEqual({ id: 'a', outcome: 'added', superseded: [] });
  expect(await current()).toEqual(['b']);
  await store.remember([{ ...second, expiresAt: new Date() }]);
  await learn(store, second, reader);
  expect(await current()).toEqual([]);
});

test('a replaced memory that is changed stays replaced, in its lineage', async () => {
  await store.remember([fact('old', 'Ann lives in Paris'), fact('new', 'Ann lives in Rome', { sequence: 7 })]);
  await store.supersede(['old'], 'new');
  const [old] = await store.get(['old']);
  await store.remember([{ ...(old as NonNullable<typeof old>), importance: 0.9 }]);
  expect(await current()).toEqual(['new']);
  const reverted: Reader = { project: { id: 'p', ranges: [{ lineageId: 'l1', upToSequence: 5 }] } };
  expect(await store.list({ scope: reverted })).toMatchObject([{ id: 'old', importance: 0.9 }]);
});

test.each([
  ['Retry when latency > 5 s', 'Retry when latency < 5 s'],
  ['Alice prefers C#', 'Alice prefers C++'],
  ['Ann keeps it at -5 degrees', 'She keeps it at 5 degrees'],
])('"%s" is not known from "%s", although their vectors are nearly equal', (text, other) => {
  expect(saysSame({ text, similarity: 0.999 }, other)).toBe(false);
  expect(saysSame({ text, similarity: 0.999 }, `${text}, she says`)).toBe(true);
});

test('a secret is refused, and the error does not repeat it', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const writing = store.remember([fact('fine', 'fine'), fact('a', `The token is ${secret}`)]);
  await expect(writing).rejects.toMatchObject({ code: 'SecretInMemory' });
  await expect(writing).rejects.toThrow(/"a" seems to contain a GitHub token/);
  await expect(writing).rejects.not.toThrow(new RegExp(secret));
  expect(await current()).toEqual([]);
});

test('an empty memory is refused', async () => {
  for (const text of ['', ' \n\t ']) {
    await expect(learn(store, fact('a', text), reader)).rejects.toMatchObject({ code: 'EmptyMemory' });
    await expect(store.remember([fact('fine', 'fine'), fact('a', text)])).rejects.toThrow(
      'Expected a memory with text, got an empty one.',
    );
  }
  expect(await current()).toEqual([]);
  await store.remember([fact('a', '', { expiresAt: new Date() })]);
});

test('another model is reported until a reindex, which keeps the rest of a memory', async () => {
  await store.remember([fact('a', 'whole cents', { tags: ['x'] }), fact('b', 'zebra')]);
  await store.supersede(['b'], 'a');
  const notices: string[] = [];
  const other = { ...createHashingEmbedder(), model: 'other', dimensions: 3, embed: threeDimensions };
  const changed = await openMemoryStore({ uri, embedder: other, onNotice: (text) => notices.push(text) });
  expect(notices).toEqual([
    expect.stringMatching(/vectors of 512 dimensions, but other gives 3\. .*longhaul memory reindex/),
  ]);
  expect(await changed.search({ query: 'cents', scope: reader })).toMatchObject([{ id: 'a', why: 'text' }]);
  const seen: number[] = [];
  expect(await changed.reindex({ onProgress: (done) => seen.push(done) })).toBe(2);
  expect(seen).toEqual([2]);
  expect(await changed.search({ query: 'cents', scope: reader })).toMatchObject([
    { id: 'a', why: 'both', tags: ['x'] },
  ]);
  expect(await changed.get(['b'])).toMatchObject([{ supersededBy: 'a', model: 'other' }]);
  expect(await changed.reindex()).toBe(0);
  await changed.close();
});

test('an interrupted reindex continues', async () => {
  await store.remember(Array.from({ length: 150 }, (_, index) => fact(`f${index}`, `fact number ${index}`)));
  const other = { ...createHashingEmbedder(), model: 'other' };
  const notices: string[] = [];
  const changed = await openMemoryStore({ uri, embedder: other, onNotice: (text) => notices.push(text) });
  expect(notices).toEqual([
    expect.stringMatching(/^150 memories have no vector of other\. .*`longhaul memory reindex`/),
  ]);
  const interruption = new AbortController();
  const interrupted = changed.reindex({ onProgress: () => interruption.abort(), signal: interruption.signal });
  await expect(interrupted).rejects.toThrow(/abort/i);
  expect(await changed.stats()).toMatchObject({ memories: 150, withoutVector: 86, byKind: { fact: 150 }, history: 0 });
  expect(await changed.reindex()).toBe(86);
  expect(await changed.stats()).toMatchObject({ withoutVector: 0, model: 'other' });
  await changed.close();
});

test('a reindex in batches ends, and running processes use the new vectors', async () => {
  await store.remember(Array.from({ length: 150 }, (_, index) => fact(`f${index}`, `fact number ${index}`)));
  const changed = await openMemoryStore({ uri, embedder: { ...createHashingEmbedder(), model: 'other' } });
  const counts: number[] = [];
  for (;;) {
    const count = await changed.reindex({ most: 64 });
    if (!count) break;
    counts.push(count);
  }
  expect(counts).toEqual([64, 64, 22]);
  expect((await changed.search({ query: 'fact number 7', scope: reader, limit: 1 }))[0]).toMatchObject({ why: 'both' });
  await changed.close();
});

test('without a model a reindex fails', async () => {
  const plain = await openMemoryStore({ uri });
  await expect(plain.reindex()).rejects.toMatchObject({ code: 'NoEmbedder' });
  await plain.close();
});

async function threeDimensions(texts: string[]): Promise<number[][]> {
  return texts.map((text) => (text.includes('cents') ? [1, 0, 0] : [0, 1, 0]));
}

test('what pages may have said replaces nothing that a person or an agent wrote, and does not stand in for it', async () => {
  await learn(store, fact('person', 'The upload limit is 5 MB', { origin: 'person' }), reader);
  const page = fact('page', 'The upload limit is 50 MB', { origin: 'page' });
  expect(await learn(store, page, reader)).toMatchObject({ outcome: 'added', superseded: [] });
  expect(await current()).toEqual(['page', 'person']);
  // The same, said by an agent that had read no page.
  const agent = fact('agent', 'The upload limit is 50 MB', { origin: 'agent' });
  expect(await learn(store, agent, reader)).toMatchObject({ outcome: 'added', superseded: ['page', 'person'] });
  expect(await store.get(['page'])).toMatchObject([{ origin: 'page', supersededBy: 'agent' }]);
});
