import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keepFindings } from '../../../activities/memory/keep-findings.ts';
import { createChat } from '../../../db/chats/chats.ts';
import type { DueTurn } from '../../../db/chats/extractions.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { listTasks } from '../../../db/tasks/tasks.ts';
import { dueExtraction, type Finding } from '../../../domain/memory/extraction.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';

let postgres: TestDatabase;
let folder: string;
let memory: MemoryStore;

beforeAll(async () => {
  postgres = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  memory = await openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
  await createChat(postgres.database, { id: 'chat-a', name: 'a' });
});
afterAll(async () => {
  await memory?.close();
  rmSync(folder, { recursive: true, force: true });
  await postgres?.stop();
});

const turnOf = (turn: number): DueTurn => ({
  ...{ chatId: 'chat-a', exchangeId: `m${turn}`, runId: 'chat-a-r1', turn, messageNumber: 1, model: 'm' },
  ...{ createdAt: new Date(), extraction: dueExtraction },
});
const keep = (turn: number, ...findings: Finding[]) =>
  keepFindings({ database: postgres.database, memory }, turnOf(turn), findings);
const finding = (kind: Finding['kind'], text: string, replaces: string | null = null): Finding => ({
  ...{ kind, text, replaces },
});
const current = async () => (await memory.list({ scope: 'everything' })).map(({ text }) => text).sort();

test('the same finding is stored once', async () => {
  const findings = [finding('fact', 'Ada lives in Lisbon.'), finding('task', 'Water the plants')];
  const first = await keep(1, ...findings);
  expect(first).toMatchObject([{ outcome: 'added' }, { outcome: 'added' }]);
  expect(await keep(1, ...findings)).toEqual(first);
  expect(await keep(2, ...findings)).toMatchObject([
    { outcome: 'known', id: first[0]?.id },
    { outcome: 'known', id: first[1]?.id },
  ]);
  expect(await current()).toEqual(['Ada lives in Lisbon.']);
  expect((await listTasks(postgres.database)).map(({ title }) => title)).toEqual(['Water the plants']);
});

test('a superseded memory is not recalled and stays as history', async () => {
  const [lisbon] = await memory.list({ scope: 'everything' });
  const [moved] = await keep(3, finding('fact', 'Since May Ada has her home in Porto.', lisbon?.id ?? ''));
  expect(moved).toMatchObject({ outcome: 'added', superseded: [lisbon?.id] });
  expect(await keep(3, finding('fact', 'Since May Ada has her home in Porto.', lisbon?.id ?? ''))).toEqual([moved]);
  expect(await current()).toEqual(['Since May Ada has her home in Porto.']);
  const history = await memory.list({ scope: 'everything', history: true });
  expect(history.find(({ id }) => id === lisbon?.id)).toMatchObject({ supersededBy: moved?.id });
});

test('a note replaces one that another branch had replaced', async () => {
  const note = (id: string, message: number) => ({
    ...{ id, text: `Ada's desk is in the ${id}.`, kind: 'fact', scope: 'session' as const, sessionId: 'chat-a' },
    source: { run: 'chat-a-r1', message },
  });
  await memory.remember([note('attic', 1), note('cellar', 9)]);
  await memory.supersede(['attic'], 'cellar'); // by a note of message 9, which the branch searched below does not have
  const [moved] = await keep(6, finding('fact', 'Ada has no desk any more.', 'attic'));
  expect(moved).toMatchObject({ superseded: ['attic'] });
  const scope = { sessionId: 'chat-a', branch: [{ lineageId: 'chat-a-r1', upToSequence: 8 }] };
  expect((await memory.search({ query: "Ada's desk", scope })).map(({ id }) => id)).not.toContain('attic');
  await memory.forget(['attic', 'cellar', moved?.id ?? '']);
});

test('a model can replace only memories of its own conversation', async () => {
  await memory.remember([
    { id: 'other', text: 'Bob likes jazz.', kind: 'fact', scope: 'session', sessionId: 'chat-b' },
    { id: 'decision', text: 'We chose Postgres.', kind: 'decision', scope: 'global' },
  ]);
  const kept = await keep(
    4,
    ...['other', 'decision', 'nothing'].map((id) => finding('preference', `Ada likes ${id} music.`, id)),
  );
  expect(kept.map(({ superseded }) => superseded)).toEqual([[], [], []]);
  expect((await memory.get(['other', 'decision'])).map(({ supersededBy }) => supersededBy)).toEqual([
    undefined,
    undefined,
  ]);
});

test('a secret is not stored, nor named in the refusal', async () => {
  const secret = `sk-ant-${'a1b2c3d4'.repeat(4)}`;
  const kept = await keep(5, finding('fact', `Ada's key is ${secret}`), finding('task', `Change ${secret}`));
  expect(kept).toMatchObject([
    { outcome: 'refused', reason: 'It seems to contain an Anthropic key.' },
    { outcome: 'refused', text: '(left out)' },
  ]);
  expect(JSON.stringify([kept, await current(), await listTasks(postgres.database)])).not.toContain(secret);
});
