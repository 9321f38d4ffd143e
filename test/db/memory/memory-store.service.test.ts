import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import type { NewMemory, Reader } from '../../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';

const folders: string[] = [];
let uri: string;
let store: MemoryStore;

beforeEach(async () => {
  uri = newFolder();
  store = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
});
afterEach(() => store.close());
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  folders.push(folder);
  return folder;
}

function memory(id: string, text: string, changes: Partial<NewMemory> = {}): NewMemory {
  return {
    id,
    text,
    kind: 'decision',
    scope: 'project',
    projectId: 'p',
    lineageId: 'p/l1',
    sequence: 1,
    createdAt: new Date('2026-01-01'),
    ...changes,
  };
}

const everything = [{ lineageId: 'p/l1', upToSequence: Number.MAX_SAFE_INTEGER }];
const project: Reader = { project: { id: 'p', ranges: everything } };

async function found(query: string, scope: Reader = project, more = {}): Promise<string[]> {
  return (await store.search({ query, scope, ...more })).map((one) => one.id);
}

test("the memory that shares the question's words comes first", async () => {
  await store.remember([
    memory('cents', 'Amounts are whole cents'),
    memory('files', 'Commands are modules that are found'),
  ]);
  expect((await found('how are amounts of money kept, in cents?'))[0]).toBe('cents');
  expect((await store.search({ query: 'amount', scope: project }))[0]).toMatchObject({ id: 'cents', why: 'both' });
});

test('a memory written again replaces its text', async () => {
  await store.remember([memory('a', 'first words')]);
  await store.remember([memory('a', 'second text'), memory('a', 'third text')]);
  expect(await store.search({ query: 'text', scope: project })).toMatchObject([{ text: 'third text' }]);
  expect(await found('first words')).toEqual([]);
});

test('memories that the current lineage left behind are not recalled', async () => {
  await store.remember([
    memory('kept', 'whole cents', { sequence: 3 }),
    memory('left', 'cents are rounded', { sequence: 9 }),
    memory('lesson', 'cents were rounded wrongly', { sequence: 9, kind: 'lesson', scope: 'global' }),
    memory('by hand', 'cents, said a person', { lineageId: undefined, sequence: undefined }),
  ]);
  const at = (lineageId: string, upToSequence: number): Reader => ({
    project: { id: 'p', ranges: [{ lineageId, upToSequence }] },
  });
  expect((await found('cents', at('p/l1', 5))).sort()).toEqual(['by hand', 'kept']);
  expect(await found('cents', at('p/l2', 99))).toEqual(['by hand']);
});

test("another project's lessons are seen, its decisions are not", async () => {
  const foreign = { projectId: 'q', lineageId: 'q/l1' };
  await store.remember([
    memory('private', 'whole cents', foreign),
    memory('lesson', 'cents were rounded wrongly', { ...foreign, kind: 'lesson', scope: 'global' }),
    memory('own', 'cents are kept'),
  ]);
  expect((await found('cents')).sort()).toEqual(['lesson', 'own']);
  expect(await found('cents', { ...project, reach: 'own' })).toEqual(['own']);
  expect(await found('cents', { ...project, reach: 'foreign' })).toEqual(['lesson']);
  expect(await found('cents', {})).toEqual(['lesson']);
  expect(await found('cents', { project: { id: 'q', ranges: [] }, reach: 'foreign' })).toEqual([]);
});

test('a memory of a session or chat is seen there only', async () => {
  await store.remember([
    memory('mine', 'cents of this session', { scope: 'session', sessionId: 's1' }),
    memory('other', 'cents of another session', { scope: 'session', sessionId: 's2' }),
    memory('chat', 'cents of a chat', { scope: 'session', sessionId: 'c', projectId: undefined, lineageId: undefined }),
  ]);
  expect(await found('cents', { ...project, sessionId: 's1' })).toEqual(['mine']);
  expect(await found('cents')).toEqual([]);
  expect(await found('cents', { sessionId: 'c' })).toEqual(['chat']);
});

test('quotes in ids stay inside the filter', async () => {
  await store.remember([memory('mine', 'whole cents')]);
  const id = "p' or 'a' = 'a";
  expect(await found('cents', { project: { id, ranges: everything } })).toEqual([]);
  expect(await found('cents', project, { tags: ["x') or true or array_has(tags, 'y"] })).toEqual([]);
  expect(await store.get(["' or true or '"])).toEqual([]);
});

test('kinds, tags and dates filter before the search', async () => {
  const many = Array.from({ length: 150 }, (_, index) => memory(`other ${index}`, 'whole cents'));
  await store.remember([
    ...many,
    memory('fact', 'something about money in cents and so on', {
      kind: 'fact',
      tags: ['money', 'unit'],
      createdAt: new Date('2026-03-01'),
    }),
  ]);
  expect(await found('whole cents', project, { kinds: ['fact'] })).toEqual(['fact']);
  expect(await found('whole cents', project, { kinds: [] })).toEqual([]);
  expect(await found('whole cents', project, { tags: ['unit', 'money'] })).toEqual(['fact']);
  expect(await found('whole cents', project, { after: new Date('2026-02-01') })).toEqual(['fact']);
  expect(await found('whole cents', project, { after: new Date('2026-03-01T00:00:00.001Z') })).toEqual([]);
  expect(await found('whole cents', project, { before: new Date('2026-03-01'), tags: ['unit'] })).toEqual([]);
});

test('what another process wrote is found by the next search', async () => {
  const other = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
  expect(await found('zebra')).toEqual([]);
  await other.remember([memory('new', 'a zebra crossed')]);
  expect(await store.search({ query: 'zebra', scope: project })).toMatchObject([{ id: 'new', why: 'both' }]);
  await other.forget(['new']);
  expect(await found('zebra')).toEqual([]);
  await other.close();
});

test('two searches at once find the same', async () => {
  for (let round = 0; round < 20; round += 1) {
    await store.remember([memory(`new ${round}`, `zebra${round} crossed`)]);
    const both = await Promise.all([found(`zebra${round}`), found(`zebra${round}`)]);
    expect(both.map(([first]) => first)).toEqual([`new ${round}`, `new ${round}`]);
  }
});

test('expired and superseded memories are not found', async () => {
  await store.remember([
    memory('expired', 'cents once', { expiresAt: new Date(Date.now() - 1000) }),
    memory('expires', 'cents for now', { expiresAt: new Date(Date.now() + 60_000) }),
    memory('old', 'cents are rounded up', { sequence: 1 }),
    memory('new', 'cents are rounded down', { sequence: 7 }),
  ]);
  await store.supersede(['old'], 'new');
  expect((await found('cents')).sort()).toEqual(['expires', 'new']);
  expect((await found('cents', project, { history: true })).sort()).toEqual(['expired', 'expires', 'new', 'old']);
  expect(await store.get(['old'])).toMatchObject([{ supersededBy: 'new' }]);
});

test('a revert that leaves a fact behind brings back the fact it replaced', async () => {
  await store.remember([
    memory('old', 'cents are rounded up', { sequence: 1 }),
    memory('new', 'cents are rounded down', { sequence: 7 }),
  ]);
  await store.supersede(['old'], 'new');
  expect(await found('cents', { project: { id: 'p', ranges: [{ lineageId: 'p/l1', upToSequence: 5 }] } })).toEqual([
    'old',
  ]);
});

test('a fact that a revert brought back gives way to its later replacement', async () => {
  await store.remember([
    memory('old', 'cents are rounded up', { sequence: 1 }),
    memory('left', 'cents are rounded down', { sequence: 7 }),
    memory('by hand', 'cents are not rounded', { lineageId: undefined, sequence: undefined }),
  ]);
  await store.supersede(['old'], 'left');
  const reverted: Reader = { project: { id: 'p', ranges: [{ lineageId: 'p/l1', upToSequence: 5 }] } };
  expect((await found('cents', reverted)).sort()).toEqual(['by hand', 'old']);
  await store.supersede(['old'], 'by hand');
  expect(await found('cents', reverted)).toEqual(['by hand']);
});

test('an answer is found beside its question, in the same conversation only', async () => {
  const turn = (run: string, message: number, text: string) =>
    memory(`${run} ${message}`, text, { kind: 'turn', source: { run, message } });
  await store.remember([
    turn('chat', 1, 'Where do you go climbing at the weekend?'),
    turn('chat', 2, 'Mostly Fontainebleau'),
    turn('other', 2, 'Mostly nothing'),
  ]);
  const climbing = await store.search({ query: 'climbing', scope: project, limit: 2 });
  expect(climbing.map((one) => one.id)).toEqual(['chat 1', 'chat 2']);
  expect(await found('climbing', project, { limit: 2, neighbours: false })).not.toContain('chat 2');
});

test('two processes that open an empty store share one table', async () => {
  const folder = newFolder();
  const open = () => openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
  const [one, other] = await Promise.all([open(), open()]);
  await one.remember([memory('a', 'whole cents')]);
  expect(await other.search({ query: 'cents', scope: project })).toHaveLength(1);
  await one.close();
  await other.close();
});

test('a question without meaning finds nothing and does not fail', async () => {
  await store.remember([memory('a', 'whole cents'), memory('party', '🎉🎉'), memory('scripts', '会議は火曜日です')]);
  for (const nothing of ['', '   ', 'the', 'the of !!', '🎉', '\ud800', '"', "'; drop"]) {
    expect(await found(nothing)).toEqual([]);
  }
  expect(await found(`cents ${'word '.repeat(20_000)}`)).toContain('a');
  expect((await found('会議は火曜日です'))[0]).toBe('scripts');
  expect(await found('cents', project, { limit: 0 })).toEqual([]);
});

test('without an embedder words are searched, and vectors come later', async () => {
  const folder = newFolder();
  const plain = await openMemoryStore({ uri: folder });
  await plain.remember([memory('a', 'whole cents')]);
  expect(await plain.search({ query: 'cents', scope: project })).toMatchObject([{ id: 'a', why: 'text' }]);
  await plain.close();
});

/** A second store whose embedder fails, each time with another message, as long as `fails` is set. */
async function openFailing(notices: string[]) {
  const state = { fails: false, calls: 0 };
  const hashing = createHashingEmbedder();
  const embed = async (texts: string[], purpose: 'document' | 'query') => {
    state.calls += 1;
    if (state.fails) throw new Error(`out of memory (request ${state.calls})`);
    return hashing.embed(texts, purpose);
  };
  const failing = await openMemoryStore({
    uri,
    embedder: { ...hashing, embed },
    onNotice: (text) => notices.push(text),
  });
  return { failing, state };
}

test('an embedder that fails does not fail the search, and is reported once', async () => {
  const notices: string[] = [];
  const { failing, state } = await openFailing(notices);
  await failing.remember([memory('a', 'whole cents')]);
  state.fails = true;
  for (let time = 0; time < 3; time += 1) {
    expect(await failing.search({ query: 'cents', scope: project })).toMatchObject([{ id: 'a', why: 'text' }]);
  }
  expect(notices).toEqual([expect.stringContaining('out of memory')]);
  await failing.close();
});

test('an embedder that fails loses no memory, is reported once, and the vector comes later', async () => {
  const notices: string[] = [];
  const { failing, state } = await openFailing(notices);
  state.fails = true;
  await failing.remember([memory('a', 'whole cents')]);
  await failing.remember([memory('b', 'other matters')]);
  expect(await failing.search({ query: 'cents', scope: project })).toMatchObject([{ id: 'a', why: 'text' }]);
  expect(await failing.stats()).toMatchObject({ withoutVector: 2 });
  await failing.optimize(); // does the rest of its work all the same
  const about = (what: string) => expect.stringMatching(`${what}[\\s\\S]*out of memory`);
  expect(notices).toEqual([about('stored without a vector'), about('only by their words'), about('next maintenance')]);
  state.fails = false;
  await failing.optimize();
  expect(await failing.stats()).toMatchObject({ withoutVector: 0 });
  expect(await failing.search({ query: 'cents', scope: project })).toMatchObject([{ id: 'a', why: 'both' }]);
  const calls = state.calls;
  await failing.optimize();
  expect(state.calls).toBe(calls); // nothing is left to embed
  await failing.close();
});

test('the time of the last recall is stored', async () => {
  await store.remember([memory('a', 'whole cents'), memory('b', 'other matters')]);
  await found('cents', project, { limit: 1 });
  await store.optimize();
  const [a, b] = await Promise.all([store.get(['a']), store.get(['b'])]);
  expect(a[0]?.recalledAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect(b[0]?.recalledAt).toBeUndefined();
  expect(await found('cents')).toContain('a'); // writing that time keeps it indexed by words and vector
});

test('a search in a read-only store succeeds', async () => {
  const folder = newFolder();
  const notices: string[] = [];
  const unwritable = await openMemoryStore({ uri: folder, onNotice: (text) => notices.push(text) });
  await unwritable.remember([memory('a', 'whole cents')]);
  await unwritable.search({ query: 'cents', scope: project });
  rmSync(folder, { recursive: true });
  await unwritable.close();
  expect(notices).toEqual([expect.stringMatching(/^Could not record when memories were last recalled\. /)]);
});

test('the list shows what is found, newest first', async () => {
  await store.remember([
    memory('old', 'one', { createdAt: new Date('2026-01-01') }),
    memory('new', 'two', { createdAt: new Date('2026-01-02') }),
    memory('private', 'three', { projectId: 'q' }),
  ]);
  expect((await store.list({ scope: project })).map(({ id }) => id)).toEqual(['new', 'old']);
  expect(await store.list({ scope: project }, { limit: 1, offset: 1 })).toMatchObject([{ id: 'old' }]);
  expect(await store.count({ scope: 'everything' })).toBe(3);
});

test('pages show memories of one moment once, while others are written', async () => {
  await store.remember(Array.from({ length: 60 }, (_, index) => memory(`m${index}`, `memory number ${index}`)));
  const seen: string[] = [];
  for (let after: { createdAt: number; id: string } | undefined; ; ) {
    const page = await store.list({ scope: 'everything' }, { limit: 25, after });
    seen.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (!last) break;
    after = { createdAt: +last.createdAt, id: last.id };
    await store.remember([memory(`new ${seen.length}`, 'a new one', { createdAt: new Date('2026-02-01') })]);
  }
  expect(seen).toHaveLength(60);
  expect(new Set(seen).size).toBe(60);
});

test('a memory is read as it was written', async () => {
  const whole: NewMemory = {
    id: 'a',
    text: 'Größe: 5 "Zoll" \\ \n 🎉',
    kind: 'custom',
    scope: 'session',
    projectId: 'p',
    sessionId: 's',
    lineageId: 'p/l1',
    sequence: 2 ** 40,
    tags: ['one', "two's"],
    source: { id: 'x', run: 'r', message: 3, commit: 'abc' },
    importance: 0.7,
    origin: 'page' as const,
    createdAt: new Date('2026-01-01T01:02:03.004Z'),
    expiresAt: new Date('2099-01-01'),
  };
  await store.remember([whole]);
  expect(await store.get(['a'])).toEqual([{ ...whole, model: 'hashing-512' }]);
});

test('words of another language are found in other forms', async () => {
  const german = await openMemoryStore({ uri: newFolder(), language: 'German' });
  await german.remember([memory('a', 'Die Häuser sind aus Holz'), memory('b', 'Das Boot ist aus Stahl')]);
  expect((await german.search({ query: 'Haus', scope: project })).map(({ id }) => id)).toEqual(['a']);
  expect(await german.search({ query: 'die sind aus', scope: project })).toEqual([]); // stop words of that language
  await german.close();
});

test("what another project's lesson replaced is not found by a project with its own lineage", async () => {
  const foreign = { projectId: 'q', lineageId: 'q/l1', scope: 'global', kind: 'fact' } as const;
  await store.remember([
    memory('old', 'cents are rounded up', { ...foreign, sequence: 1 }),
    memory('new', 'cents are rounded down', { ...foreign, sequence: 2 }),
  ]);
  await store.supersede(['old'], 'new');
  expect(await found('cents')).toEqual(['new']);
});

test('a program can use its own kinds', async () => {
  await store.remember([memory('a', 'whole cents', { kind: 'style-rule' }), memory('b', 'whole cents')]);
  expect(await found('cents', project, { kinds: ['style-rule'] })).toEqual(['a']);
});

test('a memory that another process lets expire is not found', async () => {
  await store.remember([memory('a', 'whole cents')]);
  expect(await found('cents')).toEqual(['a']);
  const other = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
  await other.remember([memory('expired', 'cents once', { expiresAt: new Date(Date.now() - 1_000) })]);
  await other.close();
  expect(await found('cents')).toEqual(['a']);
  expect((await found('cents', project, { history: true })).sort()).toEqual(['a', 'expired']);
});

test('before the first maintenance the best matches are found too', async () => {
  await store.remember(Array.from({ length: 200 }, (_, index) => memory(`m${index}`, `memory number ${index}`)));
  expect(await store.search({ query: 'memory number 150', scope: project, limit: 1 })).toMatchObject([
    { id: 'm150', why: 'both' },
  ]);
});

test('a large search is complete although some memories were left behind in a revert', async () => {
  // The more words a memory has, the worse it fits; those that fit best were left behind.
  const words = (number: number) => Array.from({ length: number }, (_, index) => `word${index}`).join(' ');
  await store.remember(
    Array.from({ length: 90 }, (_, index) => memory(`m${index}`, `cents ${words(index)}`, { sequence: 100 - index })),
  );
  const ranges = [
    { lineageId: 'p/l1', upToSequence: 89 },
    { lineageId: 'p/l2', upToSequence: Number.MAX_SAFE_INTEGER },
  ];
  const ids = await found('cents', { project: { id: 'p', ranges } }, { limit: 60, neighbours: false });
  expect(ids).toHaveLength(60);
});

test('memories written one by one do not slow down searches', async () => {
  let calls = 0;
  const other = await openMemoryStore({
    uri,
    onCompactionDue() {
      calls += 1;
    },
  });
  for (let index = 0; index < 20; index += 1) await other.remember([memory(`single ${index}`, `single ${index}`)]);
  expect(calls).toBe(1);
  await other.close();
});

test('with an empty text index the best matches are found too', async () => {
  const many = Array.from({ length: 150 }, (_, index) =>
    memory(`many ${index}`, `a zebra ${'among many other words '.repeat(5)} ${index}`),
  );
  await store.remember([...many, memory('best', 'zebra')]);
  await store.optimize();
  expect((await found('zebra'))[0]).toBe('best');
  const connection = await connect(uri);
  const table = await connection.openTable('memories');
  await table.update({ where: 'true', valuesSql: { recalled_at: 'recalled_at' } }); // empties the index, like the maintenance of another process
  const wordsOnly = await openMemoryStore({ uri });
  const [index] = (await table.listIndices()).filter(({ columns }) => columns.includes('text'));
  expect(index?.numIndexedRows ?? 0).toBe(0);
  const search = (one: MemoryStore) => one.search({ query: 'zebra', scope: project, limit: 5 });
  expect((await search(store))[0]?.id).toBe('best');
  expect((await search(wordsOnly))[0]?.id).toBe('best');
  await wordsOnly.close();
  table.close();
  connection.close();
});
