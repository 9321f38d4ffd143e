import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createExtractMemories } from '../../../activities/memory/extract-memories.ts';
import { keepFindings } from '../../../activities/memory/keep-findings.ts';
import { recallFor, searchUnreverted } from '../../../activities/memory/memory.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import { sayInstead } from '../../../db/chats/branches.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { beginExchange, endExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { type DueTurn, findDueTurn } from '../../../db/chats/extractions.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { revertProject } from '../../../db/project/revert.ts';
import { readSession } from '../../../db/project/sessions.ts';
import { listTasks } from '../../../db/tasks/tasks.ts';
import { readUsage } from '../../../db/usage/read-usage.ts';
import { dueExtraction, type Finding } from '../../../domain/memory/extraction.ts';
import { ModelError, type ModelErrorCode } from '../../../domain/model/model-error.ts';
import { createModels } from '../../../models/create-models.ts';
import { seedProject } from '../../client/seed-project.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { createTestDatabase, databaseOfFile, type TestDatabase } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const { database } = await databaseOfFile();

describe('recall', () => {
  const uri = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  let memory: MemoryStore;

  beforeAll(async () => {
    memory = await openMemoryStore({ uri });
  });
  afterAll(async () => {
    await memory.close();
    rmSync(uri, { recursive: true, force: true });
  });

  test('the lesson of a reverted session is not recalled', async () => {
    for (const id of ['project-taught', 'project-teacher']) await seedProject(database, id);
    const { lineageId, sequence } = await readSession(database, 'project-teacher-s1');
    const lesson = { kind: 'lesson', scope: 'global' as const, text: 'Sums of amounts were wrong with floats.' };
    const elsewhere = { projectId: 'project-of-another-stack', lineageId: 'project-of-another-stack/l1', sequence: 4 };
    await memory.remember([
      { ...lesson, id: 'reverted', projectId: 'project-teacher', lineageId, sequence },
      { ...lesson, id: 'unplaced', text: `${lesson.text} Always.`, projectId: 'project-teacher' },
      { ...lesson, id: 'imported', text: `${lesson.text} Ever.`, ...elsewhere },
    ]);
    const query = 'Why are sums of amounts wrong?';
    const recalled = async () => {
      const { foreign } = await recallFor({ database, memory }, 'project-taught', query, 6);
      const inChat = await searchUnreverted({ database, memory }, { query, scope: { sessionId: 'chat' } });
      expect(inChat.map(({ id }) => id).sort()).toEqual(foreign.map(({ id }) => id).sort());
      return foreign.map(({ id }) => id).sort();
    };
    const revert = (name: string, checkpoint: string) =>
      revertProject(database, {
        ...{ projectId: 'project-teacher', lineageId: `project-teacher/${name}` },
        ...{ checkpoint, keptRef: `refs/kept/${name}` },
      });

    expect(await recalled()).toEqual(['imported', 'reverted', 'unplaced']);
    await revert('r1', 'c0');
    expect(await recalled()).toEqual(['imported', 'unplaced']);
    await revert('r2', 'c1');
    expect(await recalled()).toEqual(['imported', 'reverted', 'unplaced']);
  });
});

describe('findings of a conversation', () => {
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
});

describe('extraction', () => {
  const chatId = 'chat-a';
  let postgres: TestDatabase;
  let folder: string;
  let memory: MemoryStore;

  beforeAll(async () => {
    postgres = await createTestDatabase();
    const { database } = postgres;
    folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
    memory = await openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
    await createChat(database, { id: chatId, name: 'a' });
    await keepExchange(database, { chatId, id: 'one', text: 'I moved to Porto.' });
    await beginExchange(database, { chatId, id: 'one' }, { instructions: 'Help.', model: 'test/chat' });
    await endExchange(database, { chatId, id: 'one', status: 'ANSWERED', extract: true });
  });
  afterAll(async () => {
    await memory?.close();
    rmSync(folder, { recursive: true, force: true });
    await postgres?.stop();
  });

  /** The prompts the models were given, in order. */
  const asked: string[] = [];

  /** Extracts memories from the due turn with models that all fail for this reason; resolves with the error, if there is one. */
  async function extractWith(code: ModelErrorCode, chat = chatId): Promise<unknown> {
    const dependencies = {
      database: postgres.database,
      memory,
      prompts: loadPrompts('/nowhere'),
      modelOf: () => 'test/summarizer',
      callSettingsOf: () => ({}),
      models: createModels({
        providers: {},
        own: [
          {
            name: 'test',
            complete: async ({ messages }) => {
              asked.push(messages.map(({ content }) => content.text).join('\n'));
              throw new ModelError('It does not answer.', { code });
            },
          },
        ],
      }),
    } as unknown as Dependencies; // no other dependency is used
    const extract = createExtractMemories(dependencies);
    return inActivity(() => extract({ chatId: chat }).catch((error: unknown) => error));
  }

  test('memory extraction is retried after a wrong key, a spent quota or a wrong model name', async () => {
    expect(await extractWith('ModelQuotaSpent')).toMatchObject({ type: 'ModelQuotaSpent', nonRetryable: true });
    expect(await extractWith('ModelAuthentication')).toMatchObject({ type: 'ModelAuthentication', nonRetryable: true });
    const due = await findDueTurn(postgres.database, chatId);
    expect(due).toMatchObject({ exchangeId: 'one' });
    const model = 'test/summarizer';
    const inLedger = await readUsage(postgres.database, due?.runId ?? '');
    expect(inLedger).toMatchObject([
      { purpose: 'extraction', outcome: 'ModelQuotaSpent', model, turn: due?.turn, summaryUpTo: -2, costUsd: 0 },
      // The fallback to the chat's own model, then both again at the second attempt.
      { outcome: 'ModelQuotaSpent', model: 'test/chat' },
      { outcome: 'ModelAuthentication', model },
      { outcome: 'ModelAuthentication', model: 'test/chat' },
    ]);
    expect(await extractWith('ModelNotFound')).toMatchObject({ type: 'ModelNotFound', nonRetryable: true });
  });

  test('a turn that no model reads is given up', async () => {
    expect(await extractWith('ModelContentRefused')).toBeUndefined();
    expect(await findDueTurn(postgres.database, chatId)).toBeUndefined();
  });

  test('notes of another branch do not count as known', async () => {
    const { database } = postgres;
    const branched = 'chat-b';
    await createChat(database, { id: branched, name: 'b' });
    const say = async (id: string, extract: boolean) => {
      await keepExchange(database, { chatId: branched, id, text: `I moved to Porto, ${id}.` });
      await beginExchange(database, { chatId: branched, id }, { instructions: 'Help.', model: 'test/chat' });
      await endExchange(database, { chatId: branched, id, status: 'ANSWERED', extract });
    };
    await say('b-one', false);
    await say('b-two', false);
    const note = (id: string, message: number) => ({
      ...{ id, text: `Ada moved to Porto, ${id}.`, kind: 'fact', scope: 'session' as const, sessionId: branched },
      source: { run: 'chat-b-r1', message },
    });
    await memory.remember([note('before', 1), note('left', 2)]);
    await sayInstead(database, { chatId: branched, instead: 'b-two', id: 'b-new', text: 'I moved to Porto, truly.' });
    await beginExchange(database, { chatId: branched, id: 'b-new' }, { instructions: 'Help.', model: 'test/chat' });
    await endExchange(database, { chatId: branched, id: 'b-new', status: 'ANSWERED', extract: true });
    await extractWith('ModelContentRefused', branched);
    expect(asked.at(-1)).toContain('id before)');
    expect(asked.at(-1)).not.toContain('id left)');
  });
});
