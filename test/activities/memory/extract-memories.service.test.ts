import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createExtractMemories } from '../../../activities/memory/extract-memories.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import { sayInstead } from '../../../db/chats/branches.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { beginExchange, endExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { findDueTurn } from '../../../db/chats/extractions.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { readUsage } from '../../../db/usage/read-usage.ts';
import { ModelError, type ModelErrorCode } from '../../../domain/model/model-error.ts';
import { createModels } from '../../../models/create-models.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';

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
