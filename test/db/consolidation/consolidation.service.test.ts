import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { applyChanges, settleChanges } from '../../../db/consolidation/apply-changes.ts';
import {
  addSummaryChange,
  findProposedKeepers,
  findSummarized,
  type MemoryChangeRow,
  readChanges,
  writeMerges,
} from '../../../db/consolidation/changes.ts';
import {
  beginConsolidation,
  endAbandoned,
  endConsolidation,
  listConsolidations,
} from '../../../db/consolidation/consolidations.ts';
import { createRanges } from '../../../db/consolidation/create-ranges.ts';
import { acceptChanges, rejectChanges, undoChanges } from '../../../db/consolidation/decide-changes.ts';
import { findRepeats } from '../../../db/memory/consolidation/find-repeats.ts';
import type { NewMemory } from '../../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { revertProject } from '../../../db/project/revert.ts';
import { seedProject } from '../../client/seed-project.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
let folder: string;
let memory: MemoryStore;
let count = 0;

beforeAll(async () => {
  await seedProject(database, 'project-p');
});
beforeEach(async () => {
  await database.execute(sql`truncate memory_changes, memory_consolidations`);
  folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  memory = await openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

function fact(id: string, text: string, changes: Partial<NewMemory> = {}): NewMemory {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + ++count * 1_000);
  return { id, text, kind: 'fact', scope: 'global', createdAt, ...changes };
}

const own = { scope: 'project', projectId: 'project-p', lineageId: 'project-p/l1', sequence: 1 } as const;

async function begin({ dryRun = false, projectId }: { dryRun?: boolean; projectId?: string } = {}) {
  count += 1;
  const ids = { workflowId: 'w', workflowRunId: `r${count}` };
  return beginConsolidation(database, { id: `c${count}`, dryRun, onlyNew: false, projectId, ...ids });
}

/** Runs one whole consolidation in a single batch; returns its id. */
async function consolidate(options: { dryRun?: boolean; projectId?: string } = {}): Promise<string> {
  const consolidation = await begin(options);
  const { id, dryRun } = consolidation;
  const page = await memory.walk({ projectId: options.projectId, limit: 1_000 });
  const { repeats } = await findRepeats(memory, page, {
    rangesOf: createRanges(database),
    keepersOf: async (ids) => (dryRun ? findProposedKeepers(database, id, ids) : new Map()),
    signal: new AbortController().signal,
  });
  const changes = await writeMerges(database, consolidation, repeats);
  if (!dryRun) await applyChanges({ database, memory }, changes);
  return id;
}

/** Proposes a summary of the memories a and b; returns its id. */
async function proposeSummary(text: string): Promise<string> {
  const { id: consolidationId } = await begin();
  const id = `summary-${consolidationId}`;
  const change = { id, consolidationId, kind: 'summary', status: 'proposed', memoryId: id, sources: ['a', 'b'], text };
  await addSummaryChange(database, change as MemoryChangeRow);
  return id;
}

const current = async () => (await memory.list({ scope: 'everything' })).map(({ id }) => id).sort();
const merges = async (consolidationId: string) =>
  (await readChanges(database, { consolidationId })).map(({ sources, memoryId, status }) => [
    ...sources,
    memoryId,
    status,
  ]);

test('of two equal memories for the same readers the newer one goes', async () => {
  await memory.remember([
    fact('a', 'The upload limit is 5 MB', { tags: ['limits'] }),
    fact('b', 'the upload limit is 5 MB.', { tags: ['uploads'] }),
    fact('c', 'The upload limit is 6 MB'),
    fact('d', 'The upload limit is 5 MB'),
    fact('e', 'The upload limit is 5 MB', { kind: 'lesson' }),
    fact('f', 'The upload limit is 5 MB', { kind: 'turn' }),
    fact('g', 'The upload limit is 5 MB', { kind: 'turn' }),
  ]);
  const id = await consolidate();
  expect(await merges(id)).toEqual(
    expect.arrayContaining([
      ['b', 'a', 'applied'],
      ['d', 'a', 'applied'],
    ]),
  );
  expect(await current()).toEqual(['a', 'c', 'e', 'f', 'g']);
  expect(await memory.get(['a'])).toMatchObject([{ tags: ['limits', 'uploads'] }]);
  expect(await memory.get(['b'])).toMatchObject([{ text: 'the upload limit is 5 MB.', supersededBy: 'a' }]);
  expect(await merges(await consolidate())).toEqual([]);
});

test('more copies than are compared at once are all merged', async () => {
  const copies = Array.from({ length: 30 }, (_, index) => fact(`copy ${index}`, 'Whole cents'));
  await memory.remember(copies.toReversed());
  const id = await consolidate();
  expect(await current()).toEqual(['copy 0']);
  expect(await merges(id)).toHaveLength(29);
  expect(await memory.get(['copy 29'])).toMatchObject([{ supersededBy: 'copy 0' }]);
});

test('memories for other readers are not merged', async () => {
  const text = 'Amounts are whole cents';
  await memory.remember([
    fact('global', text),
    fact('own', text, own),
    fact('lesson', text, { ...own, scope: 'global' }),
    fact('foreign', text, { ...own, projectId: 'q', lineageId: undefined }),
    fact('session', text, { ...own, scope: 'session', sessionId: 's1' }),
    fact('other session', text, { ...own, scope: 'session', sessionId: 's2' }),
    fact('chat', text, { scope: 'session', sessionId: 'c' }),
  ]);
  const before = await current();
  expect(await merges(await consolidate())).toEqual([]);
  expect(await current()).toEqual(before);
});

test('memories that the current lineage left behind are not merged', async () => {
  const text = 'Amounts are whole cents';
  await memory.remember([
    fact('left', text, { ...own, lineageId: 'project-p/l0' }),
    fact('left too', text, { ...own, lineageId: 'project-p/l0' }),
    fact('kept', text, own),
  ]);
  expect(await merges(await consolidate())).toEqual([]);
});

test('a consolidation of one project looks at that project only', async () => {
  await memory.remember([
    fact('a', 'Whole cents'),
    fact('b', 'Whole cents'),
    fact('c', 'Whole cents', own),
    fact('d', 'Whole cents', own),
  ]);
  expect(await merges(await consolidate({ projectId: 'project-p' }))).toEqual([['d', 'c', 'applied']]);
});

test('a memory that expires does not replace one that stays', async () => {
  await memory.remember([
    fact('soon', 'Whole cents', { expiresAt: new Date(Date.now() + 60_000) }),
    fact('ever', 'Whole cents'),
  ]);
  expect(await merges(await consolidate())).toEqual([['soon', 'ever', 'applied']]);
});

test('memories without vectors are compared too', async () => {
  const words = await openMemoryStore({ uri: folder });
  await words.remember([fact('a', 'Whole cents'), fact('b', 'whole cents')]);
  await words.close();
  expect(await merges(await consolidate())).toEqual([['b', 'a', 'applied']]);
});

test('a dry run changes nothing, and its proposals can be applied', async () => {
  await memory.remember([fact('a', 'Whole cents'), fact('b', 'Whole cents'), fact('c', 'Whole cents')]);
  const id = await consolidate({ dryRun: true });
  expect(await current()).toEqual(['a', 'b', 'c']);
  expect((await merges(id)).sort()).toEqual([
    ['b', 'a', 'proposed'],
    ['c', 'a', 'proposed'],
  ]);
  expect(await acceptChanges({ database, memory }, id)).toBe(2);
  expect(await current()).toEqual(['a']);
});

test('an undone merge is as before, and is not made again', async () => {
  await memory.remember([
    fact('a', 'Whole cents', { tags: ['own'] }),
    fact('b', 'Whole cents', { tags: ['x', 'y'] }),
    fact('c', 'Whole cents', { tags: ['y'] }),
  ]);
  const stores = { database, memory };
  const id = await consolidate();
  const [ofB, ofC] = (await readChanges(database, { consolidationId: id })).sort((left, right) =>
    String(left.sources) < String(right.sources) ? -1 : 1,
  ) as [MemoryChangeRow, MemoryChangeRow];
  expect(await undoChanges(stores, ofB.id)).toBe(1);
  expect(await current()).toEqual(['a', 'b']);
  expect((await memory.get(['a']))[0]?.tags.sort()).toEqual(['own', 'y']);
  await consolidate();
  expect(await current()).toEqual(['a', 'b']);
  expect(await undoChanges(stores, ofC.id)).toBe(1);
  expect(await current()).toEqual(['a', 'b', 'c']);
  expect(await acceptChanges(stores, ofB.id)).toBe(1);
  expect(await current()).toEqual(['a', 'c']);
  await expect(rejectChanges(stores, ofB.id)).rejects.toMatchObject({ code: 'MemoryChangeState' });
  await expect(undoChanges(stores, 'nothing')).rejects.toMatchObject({ code: 'UnknownConsolidation' });
});

test('a merge interrupted by a kill is completed', async () => {
  await memory.remember([fact('a', 'Whole cents'), fact('b', 'Whole cents')]);
  const consolidation = await begin();
  const [a, b] = await memory.walk({ limit: 10 });
  if (!a || !b) throw new Error('Expected two memories.');
  await writeMerges(database, consolidation, [{ memory: b, by: a }]);
  expect(await current()).toEqual(['a', 'b']);
  await settleChanges({ database, memory });
  expect(await current()).toEqual(['a']);
  expect(await merges(consolidation.id)).toEqual([['b', 'a', 'applied']]);
});

test('a merge with a memory that was forgotten meanwhile is dropped', async () => {
  await memory.remember([fact('a', 'Whole cents'), fact('b', 'Whole cents')]);
  const id = await consolidate({ dryRun: true });
  await memory.forget(['a']);
  await acceptChanges({ database, memory }, id);
  expect(await current()).toEqual(['b']);
  expect(await merges(id)).toEqual([['b', 'a', 'undone']]);
});

test('a merge with a memory that expired meanwhile is dropped', async () => {
  await memory.remember([fact('a', 'Whole cents'), fact('b', 'Whole cents')]);
  const id = await consolidate({ dryRun: true });
  await memory.change('a', { expiresAt: new Date() });
  expect(await acceptChanges({ database, memory }, id)).toBe(0);
  expect(await current()).toEqual(['b']);
  expect(await merges(id)).toEqual([['b', 'a', 'undone']]);
});

test('a proposed merge of a memory that was changed is dropped', async () => {
  await memory.remember([fact('a', 'Whole cents'), fact('b', 'Whole cents')]);
  const id = await consolidate({ dryRun: true });
  await memory.remember([fact('b', 'Tenths of a cent')]);
  await acceptChanges({ database, memory }, id);
  expect(await current()).toEqual(['a', 'b']);
  expect(await merges(id)).toEqual([['b', 'a', 'undone']]);
});

test('a proposed summary is found only once accepted, and goes with a revert or an undo', async () => {
  await memory.remember([
    fact('a', 'Uploads are limited', { ...own, sequence: 3, tags: ['limits', 'x'] }),
    fact('b', 'The limit is 5 MB', { ...own, sequence: 7, tags: ['limits'] }),
  ]);
  const stores = { database, memory };
  const text = 'Uploads are limited to 5 MB.';
  const id = await proposeSummary(text);
  expect(await current()).toEqual(['a', 'b']);
  await acceptChanges(stores, id);
  expect(await memory.get([id])).toMatchObject([
    { text, kind: 'summary', tags: ['limits'], lineageId: 'project-p/l1', sequence: 7, projectId: 'project-p' },
  ]);
  expect(await current()).toEqual(['a', 'b', id]);
  await undoChanges(stores, id);
  expect(await current()).toEqual(['a', 'b']);
  await acceptChanges(stores, id, { replace: true });
  expect(await current()).toEqual([id]);
  await undoChanges(stores, id);
  expect(await current()).toEqual(['a', 'b']);
  expect(await findSummarized(database, ['a', 'c'])).toEqual(new Set(['a', 'b']));
});

test.each<[what: string, outdate: () => Promise<unknown>]>([
  [
    'was replaced',
    async () => {
      await memory.remember([fact('new', 'The limit is 50 MB')]);
      await memory.supersede(['b'], 'new');
    },
  ],
  ['has expired', () => memory.change('b', { expiresAt: new Date() })],
  ['was forgotten', () => memory.forget(['b'])],
])(
  'a summary is dropped if a source %s since it was proposed, and its undoing does not bring that back',
  async (_, outdate) => {
    await memory.remember([fact('a', 'Uploads are limited'), fact('b', 'The limit is 5 MB')]);
    const stores = { database, memory };
    const id = await proposeSummary('Uploads are limited to 5 MB.');
    await outdate();
    const before = await current();
    await expect(acceptChanges(stores, id, { replace: true })).rejects.toMatchObject({ code: 'MemoryChangeState' });
    expect(await current()).toEqual(before);
    const [{ consolidationId } = { consolidationId: '' }] = await readChanges(database, {});
    expect(await merges(consolidationId)).toEqual([['a', 'b', id, 'undone']]);
    await undoChanges(stores, id);
    expect(await current()).toEqual(before);
  },
);

test('an undone summary keeps what a revert left behind as history', async () => {
  await seedProject(database, 'project-r');
  const revert = { projectId: 'project-r', lineageId: 'project-r/l2', checkpoint: 'c1', keptRef: 'refs/x' };
  await revertProject(database, revert);
  const theirs = { ...own, projectId: 'project-r', lineageId: 'project-r/l1' };
  await memory.remember([
    fact('a', 'Uploads are limited', theirs),
    fact('b', 'The limit is 5 MB', theirs),
    fact('left', 'The limit is 50 MB', { ...theirs, sequence: 1_000 }),
  ]);
  await memory.supersede(['b'], 'left');
  const stores = { database, memory };
  const id = await proposeSummary('Uploads are limited to 5 MB.');
  expect(await acceptChanges(stores, id, { replace: true })).toBe(1);
  expect(await memory.get(['a'])).toMatchObject([{ supersededBy: id }]);
  await undoChanges(stores, id);
  expect(await memory.get(['b'])).toMatchObject([{ supersededBy: 'left' }]);
});

test('the daily consolidation looks at what is new since an hour before the last completed one', async () => {
  const first = await begin();
  const next = (id: string) =>
    beginConsolidation(database, { id, dryRun: false, onlyNew: true, workflowId: 'w', workflowRunId: 'r' });
  await endConsolidation(database, { id: first.id, status: 'failed', looked: 0 });
  const last = (await listConsolidations(database, 100)).find(({ status }) => status === 'completed');
  expect(last).toBeUndefined();
  expect((await next('daily-1')).since).toBeNull();
  await endConsolidation(database, { id: 'daily-1', status: 'completed', looked: 5 });
  const { since } = await next('daily-2');
  const [began] = (await listConsolidations(database, 100)).filter(({ id }) => id === 'daily-1');
  expect(since).toEqual(new Date(Number(began?.createdAt) - 3_600_000));
  expect((await next('daily-2')).since).toEqual(since);
});

test('an externally ended consolidation is listed as failed, and a finished one is not', async () => {
  const abandoned = await begin();
  const completed = await begin();
  await endConsolidation(database, { id: completed.id, status: 'completed', looked: 7 });
  for (const { id } of [abandoned, completed]) await endAbandoned(database, id, 'Its workflow was terminated.');
  const rows = new Map((await listConsolidations(database, 10)).map((row) => [row.id, row]));
  expect(rows.get(abandoned.id)).toMatchObject({ status: 'failed', remark: 'Its workflow was terminated.' });
  expect(rows.get(abandoned.id)?.endedAt).toEqual(expect.any(Date));
  expect(rows.get(completed.id)).toMatchObject({ status: 'completed', remark: null, looked: 7 });
});
