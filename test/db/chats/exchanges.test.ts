import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addToOwner } from '../../../db/add-to-owner.ts';
import { createChat, findChat, renameChat, resolveChat, setChatModel } from '../../../db/chats/chats.ts';
import { deleteChat } from '../../../db/chats/delete-chat.ts';
import {
  beginExchange,
  endExchange,
  findNextExchange,
  keepExchange,
  readRecalled,
} from '../../../db/chats/exchanges.ts';
import { readHistory } from '../../../db/chats/read-history.ts';
import { readRecentExchanges } from '../../../db/chats/read-recent.ts';
import type { Database } from '../../../db/database.ts';
import { ChatNameError, MessageUnusableError, UnknownChatError } from '../../../db/errors.ts';
import { readChatEvents } from '../../../db/events/read-events.ts';
import { runs } from '../../../db/schema/runs.ts';
import { readConversation } from '../../../db/transcript/read-conversation.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { startTestDatabase, type TestDatabase } from '../../client/test-database.ts';

let postgres: TestDatabase;
let database: Database;
let count = 0;

beforeAll(async () => {
  postgres = await startTestDatabase();
  ({ database } = postgres);
}, 60_000);
afterAll(() => postgres?.stop());

const start = { instructions: 'You chat.', model: 'openai/one' };

async function newChat(): Promise<string> {
  count += 1;
  return (await createChat(database, { id: `chat-${count}`, name: `talk ${count}` })).id;
}

const say = (chatId: string, id: string, text = id) => keepExchange(database, { chatId, id, text });
const begin = (chatId: string, id: string) => beginExchange(database, { chatId, id }, start);

/** What the agent says, as `callModel` stores it. */
async function answer(chatId: string, id: string, text: string, calls: string[] = []): Promise<void> {
  const begun = await begin(chatId, id);
  if (!begun) throw new Error(`Expected ${id} to be open.`);
  const { runId, turn } = begun;
  const number = (await readMessages(database, runId)).length;
  const toolCalls = calls.map((call) => ({ id: call, name: call, arguments: '{}' }));
  await addToOwner(
    database,
    { chatId },
    {
      events: [{ type: 'budget-warned', text: 'as an event of a run' }],
      rows: (query) => [
        insertMessage(query, { runId, number, turn, role: 'assistant', content: { text, toolCalls } }),
        query.update(runs).set({ turns: turn }),
      ],
    },
  );
}

test('messages that are sent at once would get one number, and one that is sent again two', async () => {
  const chatId = await newChat();
  const kept = await Promise.all(Array.from({ length: 20 }, (_, index) => say(chatId, `m${index % 10}`)));
  expect(new Set(kept.map(({ number }) => number))).toEqual(
    new Set(Array.from({ length: 10 }, (_, index) => index + 1)),
  );
  const events = await readChatEvents(database, chatId);
  expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
});

test('a message would be answered before those that came first, or begun twice', async () => {
  const chatId = await newChat();
  await say(chatId, 'first');
  await say(chatId, 'second');
  expect(await findNextExchange(database, chatId)).toMatchObject({ id: 'first' });
  const begun = await begin(chatId, 'first');
  expect(begun).toMatchObject({ runId: `${chatId}-r1`, turn: 1, number: 1 });
  expect(await begin(chatId, 'first')).toEqual(begun);
  expect(await findNextExchange(database, chatId)).toMatchObject({ id: 'first', status: 'RUNNING' });
  await answer(chatId, 'first', 'One.');
  await endExchange(database, { chatId, id: 'first', status: 'ANSWERED' });
  expect(await begin(chatId, 'first')).toBeNull();
  expect(await begin(chatId, 'second')).toMatchObject({ runId: `${chatId}-r1`, turn: 2 });
  const { messages } = await readConversation(database, `${chatId}-r1`);
  expect(messages.map(({ role, content }) => [role, content.text])).toEqual([
    ['system', 'You chat.'],
    ['user', 'first'],
    ['assistant', 'One.'],
    ['user', 'second'],
  ]);
});

test('calls that were not done would break the conversation, or look as if they were done', async () => {
  const chatId = await newChat();
  await say(chatId, 'ask');
  await answer(chatId, 'ask', 'I look.', ['search_memory', 'read_output']);
  await endExchange(database, { chatId, id: 'ask', status: 'STOPPED', reason: 'It was stopped.' });
  await endExchange(database, { chatId, id: 'ask', status: 'ANSWERED' });
  const results = (await readMessages(database, `${chatId}-r1`)).filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => [content.toolCallId, content.text])).toEqual([
    ['search_memory', 'Not done. It was stopped.'],
    ['read_output', 'Not done. It was stopped.'],
  ]);
  expect(await readHistory(database, chatId)).toMatchObject([
    {
      status: 'STOPPED',
      reason: 'It was stopped.',
      answer: 'I look.',
      steps: [{}, { failed: true }, { failed: true }],
    },
  ]);
});

test('an answer would stand with the message before it', async () => {
  const chatId = await newChat();
  await say(chatId, 'one');
  await begin(chatId, 'one');
  await endExchange(database, { chatId, id: 'one', status: 'FAILED', reason: 'The model is away.' });
  await say(chatId, 'two');
  await answer(chatId, 'two', 'Two.');
  await endExchange(database, { chatId, id: 'two', status: 'ANSWERED' });
  await say(chatId, 'three');
  expect((await readHistory(database, chatId)).map(({ said, status, answer: text }) => [said, status, text])).toEqual([
    ['one', 'FAILED', ''],
    ['two', 'ANSWERED', 'Two.'],
    ['three', 'WAITING', ''],
  ]);
  const recent = await readRecentExchanges(database, { chatId, limit: 10 });
  expect(recent.map(({ said, answer: text }) => [said, text])).toEqual([
    ['one', ''],
    ['two', 'Two.'],
  ]);
});

test('what was recalled would be told as the words of a person, or again and again', async () => {
  const chatId = await newChat();
  await say(chatId, 'tea', 'Tea or coffee?');
  const tea = { id: 'm-tea', kind: 'fact', text: 'Ada drinks tea.', score: 0.9, why: 'both' as const };
  const recollection = { ...tea, similarity: 0.7, source: null, createdAt: '2026-01-01T00:00:00.000Z' };
  const recalled = { text: '[Recalled: Ada drinks tea.]', recollections: [recollection] };
  const begun = await beginExchange(database, { chatId, id: 'tea' }, { ...start, recalled });
  const { messages } = await readConversation(database, begun?.runId ?? '');
  expect(messages.at(-1)?.content).toEqual({
    text: 'Tea or coffee?\n\n[Recalled: Ada drinks tea.]',
    said: 'Tea or coffee?',
    recalled: ['m-tea'],
    recollections: [recollection],
  });
  expect(await readHistory(database, chatId)).toMatchObject([
    { said: 'Tea or coffee?', recalled: ['m-tea'], recollections: [recollection] },
  ]);
  expect(await readRecalled(database, begun?.runId ?? '')).toEqual(['m-tea']);
});

test('a message without text, or of a whole library, would be sent to the model', async () => {
  const chatId = await newChat();
  await expect(say(chatId, 'empty', ' \n')).rejects.toThrow(MessageUnusableError);
  await expect(say(chatId, 'long', 'x'.repeat(1_000_000))).rejects.toThrow(
    /at most 200000 characters, got one of 1000000/,
  );
  await expect(say('chat-nope', 'lost')).rejects.toThrow(UnknownChatError);
});

test('two chats would have one name, or a name that nobody can type', async () => {
  const chatId = await newChat();
  const other = await newChat();
  await expect(renameChat(database, chatId, `talk ${count}`)).rejects.toThrow(ChatNameError);
  await expect(renameChat(database, chatId, 'two\nlines')).rejects.toThrow(/Expected the name of a chat/);
  await renameChat(database, chatId, 'better');
  expect(await resolveChat(database, 'better')).toMatchObject({ id: chatId });
  expect(await createChat(database, { id: 'chat-late', name: 'better' })).toMatchObject({ id: chatId });
  await setChatModel(database, chatId, 'openai/two');
  expect(await findChat(database, chatId)).toMatchObject({ model: 'openai/two' });
  await expect(resolveChat(database, 'nope')).rejects.toThrow(/No chat has the name or id "nope"\. The latest: /);
  expect(other).not.toBe(chatId);
});

test('a deleted chat would leave something behind, or take something of another with it', async () => {
  const [gone, stays] = [await newChat(), await newChat()];
  for (const chatId of [gone, stays]) {
    await say(chatId, 'hello');
    await answer(chatId, 'hello', 'Hello.');
  }
  await deleteChat(database, gone);
  expect(await findChat(database, gone)).toBeUndefined();
  expect(await readMessages(database, `${gone}-r1`)).toEqual([]);
  expect(await readChatEvents(database, gone)).toEqual([]);
  expect(await readHistory(database, stays)).toMatchObject([{ answer: 'Hello.' }]);
});
