import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keepInBranch } from '../../activities/in-branch.ts';
import { sayInstead } from '../../db/chats/branches.ts';
import { createChat } from '../../db/chats/chats.ts';
import { beginExchange, endExchange, keepExchange } from '../../db/chats/exchanges.ts';
import type { MemoryScope } from '../../db/memory/memory.ts';
import type { FoundMemory } from '../../db/memory/search/memory-query.ts';
import { startTestDatabase, type TestDatabase } from '../client/test-database.ts';

let postgres: TestDatabase;

beforeAll(async () => {
  postgres = await startTestDatabase();
}, 60_000);
afterAll(() => postgres?.stop());

const found = (id: string, scope: MemoryScope, message?: number): FoundMemory => ({
  ...{ id, text: id, kind: 'fact', scope, tags: [], importance: 0.5, createdAt: new Date(), score: 1, why: 'both' },
  source: { run: 'chat-a-r1', message },
});

test('what was noted for a conversation alone would be recalled in a branch in which it was never said', async () => {
  const { database } = postgres;
  const chatId = 'chat-a';
  await createChat(database, { id: chatId, name: 'a' });
  for (const id of ['one', 'two']) {
    await keepExchange(database, { chatId, id, text: id });
    await beginExchange(database, { chatId, id }, { instructions: 'You chat.', model: 'm' });
    await endExchange(database, { chatId, id, status: 'FAILED', reason: 'It is a test.' });
  }
  const notes = [
    found('before', 'session', 1),
    found('left', 'session', 2),
    found('left, for all', 'global', 2),
    found('of long ago', 'session'),
  ];
  expect(await keepInBranch(database, 'chat-a-r1', notes)).toEqual(notes);
  await sayInstead(database, { chatId, instead: 'two', id: 'new', text: 'new' });
  const kept = await keepInBranch(database, 'chat-a-r2', notes);
  expect(kept.map(({ id }) => id)).toEqual(['before', 'left, for all', 'of long ago']);
});
