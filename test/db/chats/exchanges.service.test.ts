import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createChat, findChat, renameChat, resolveChat, setChatModel } from '../../../db/chats/chats.ts';
import { deleteChat } from '../../../db/chats/delete-chat.ts';
import { beginExchange, endExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { findNextExchange, findStoppable, readRecalled } from '../../../db/chats/find-exchange.ts';
import { readHistory } from '../../../db/chats/read-history.ts';
import { readRecentExchanges } from '../../../db/chats/read-recent.ts';
import type { Database } from '../../../db/connection/database.ts';
import { addToOwner } from '../../../db/events/add-to-owner.ts';
import { readChatEvents } from '../../../db/events/read-events.ts';
import { exchanges, messages, runs } from '../../../db/schema/runs.ts';
import { readConversation } from '../../../db/transcript/read-conversation.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import type { RunAgent } from '../../../domain/project/settings.ts';
import type { MessageContent } from '../../../domain/run/message.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
let count = 0;

const start = { instructions: 'You chat.', model: 'openai/one' };

async function newChat(): Promise<string> {
  count += 1;
  return (await createChat(database, { id: `chat-${count}`, name: `talk ${count}` })).id;
}

const say = (chatId: string, id: string, text = id) => keepExchange(database, { chatId, id, text });
const begin = (chatId: string, id: string) => beginExchange(database, { chatId, id }, start);

const recentIn = async (chatId: string) =>
  (await readRecentExchanges(database, { chatId, limit: 10 })).map(({ said }) => said);

/** What the agent says, as `callModel` stores it. */
async function answer(
  chatId: string,
  id: string,
  text: string,
  calls: string[] = [],
  more: Partial<MessageContent> = {},
): Promise<void> {
  const begun = await begin(chatId, id);
  if (!begun) throw new Error(`Expected ${id} to be open.`);
  const { runId, turn } = begun;
  const number = (await readMessages(database, runId)).length;
  const toolCalls = calls.map((call) => ({ id: call, name: call, arguments: '{}' }));
  await addToOwner(
    database,
    { kind: 'chat', id: chatId },
    {
      events: [{ type: 'budget.warned', limit: 'run usd', text: 'as an event of a run' }],
      rows: (query) => [
        insertMessage(query, { runId, number, turn, role: 'assistant', content: { text, toolCalls, ...more } }),
        query.update(runs).set({ turns: turn }),
      ],
    },
  );
}

test('the built-in assistant does not get the instructions of an own agent', async () => {
  const chatId = await newChat();
  const counter = { name: 'counter', hash: 'one', instructions: 'You count.', tools: [] };
  async function answeredBy(id: string, agent: RunAgent | null) {
    await say(chatId, id);
    const instructions = agent?.instructions ?? `You chat, at ${id}.`;
    const begun = await beginExchange(
      database,
      { chatId, id },
      { ...start, instructions, given: { madeTools: [], agent } },
    );
    await endExchange(database, { chatId, id, status: 'ANSWERED' });
    const { data } =
      (await readChatEvents(database, chatId)).findLast(({ data: { type } }) => type === 'answer.started') ?? {};
    return {
      agent: (await readConversation(database, begun?.runId ?? '')).agent,
      changed: data && 'changedAgent' in data ? data.changedAgent : undefined,
    };
  }
  expect(await answeredBy('a', null)).toEqual({ agent: null, changed: undefined });
  expect(await answeredBy('b', counter)).toEqual({ agent: counter, changed: 'counter' });
  expect(await answeredBy('c', null)).toEqual({
    agent: { name: 'the assistant', hash: expect.any(String), instructions: 'You chat, at c.' },
    changed: 'the assistant',
  });
  expect(await answeredBy('d', null)).toMatchObject({ agent: { instructions: 'You chat, at d.' }, changed: undefined });
  expect(await answeredBy('e', counter)).toEqual({ agent: counter, changed: 'counter' });
});

test('messages sent at once get their own numbers, and a repeated one is stored once', async () => {
  const chatId = await newChat();
  const kept = await Promise.all(Array.from({ length: 20 }, (_, index) => say(chatId, `m${index % 10}`)));
  expect(new Set(kept.map(({ number }) => number))).toEqual(
    new Set(Array.from({ length: 10 }, (_, index) => index + 1)),
  );
  const events = await readChatEvents(database, chatId);
  expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
});

test('messages are answered in order, each once', async () => {
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
  const { messages: told } = await readConversation(database, `${chatId}-r1`);
  expect(told.map(({ role, content }) => [role, content.text])).toEqual([
    ['system', 'You chat.'],
    ['user', 'first'],
    ['assistant', 'One.'],
    ['user', 'second'],
  ]);
});

test('a stop applies only to the message it names', async () => {
  const chatId = await newChat();
  const meant = () => findStoppable(database, chatId);
  expect(await meant()).toBe('nothing');
  await say(chatId, 'first');
  expect(await meant()).toEqual({ id: 'first' });
  await say(chatId, 'second');
  expect(await meant()).toBe('unsure');
  await begin(chatId, 'second');
  expect(await meant()).toEqual({ id: 'second' });
  await endExchange(database, { chatId, id: 'second', status: 'ANSWERED' });
  expect(await meant()).toEqual({ id: 'first' });
});

test('an urgent message interrupts the answer and is told in order', async () => {
  const chatId = await newChat();
  for (const id of ['first', 'second', 'third', 'fourth']) await say(chatId, id);
  const next = async (...urgent: string[]) => (await findNextExchange(database, chatId, urgent))?.id;
  expect(await next('third', 'gone', 'second')).toBe('third');
  expect(await next('gone')).toBe('first');
  await answer(chatId, 'first', 'One.');
  expect(await next('third')).toBe('first');
  await endExchange(database, { chatId, id: 'first', status: 'STOPPED', reason: 'It was stopped.' });
  await answer(chatId, 'third', 'Three.');
  await endExchange(database, { chatId, id: 'third', status: 'ANSWERED' });
  await answer(chatId, 'second', 'Two.');
  const told = async (last?: number) => (await readHistory(database, chatId, { last })).map(({ said }) => said);
  expect(await told()).toEqual(['first', 'third', 'second', 'fourth']);
  expect(await told(2)).toEqual(['second', 'fourth']);
  expect((await readHistory(database, chatId)).map(({ answer: text }) => text)).toEqual(['One.', 'Three.', 'Two.', '']);
  await endExchange(database, { chatId, id: 'second', status: 'ANSWERED' });
  expect(await recentIn(chatId)).toEqual(['first', 'third', 'second']);
});

test('messages of two clients are told in the order stored', async () => {
  const chatId = await newChat();
  await database.transaction(async (begunFirst) => {
    await begunFirst.execute(sql`select`);
    await say(chatId, 'stored first');
    await keepExchange(begunFirst as unknown as Database, { chatId, id: 'second', text: 'second' });
  });
  for (const id of ['stored first', 'second']) {
    await begin(chatId, id);
    await endExchange(database, { chatId, id, status: 'ANSWERED' });
  }
  expect(await recentIn(chatId)).toEqual(['stored first', 'second']);
});

test('calls that were not executed get a result that says so', async () => {
  const chatId = await newChat();
  await say(chatId, 'ask');
  await answer(chatId, 'ask', 'I look.', ['search_memory', 'read_output']);
  await endExchange(database, { chatId, id: 'ask', status: 'STOPPED', reason: 'It was stopped.' });
  await endExchange(database, { chatId, id: 'ask', status: 'ANSWERED' });
  const results = (await readMessages(database, `${chatId}-r1`)).filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => [content.toolCallId, content.text])).toEqual([
    ['search_memory', 'Not executed. It was stopped.'],
    ['read_output', 'Not executed. It was stopped.'],
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

test('a late answer leaves no call without a result', async () => {
  const chatId = await newChat();
  await say(chatId, 'ask');
  const begun = await begin(chatId, 'ask');
  await endExchange(database, { chatId, id: 'ask', status: 'STOPPED', reason: 'It was stopped.' });
  const { runId = '', turn = 0 } = begun ?? {};
  const toolCalls = [{ id: 'late', name: 'run_command', arguments: '{}' }];
  await insertMessage(database, { runId, number: 2, turn, role: 'assistant', content: { text: '', toolCalls } });
  await say(chatId, 'again');
  await begin(chatId, 'again');
  const told = (await readMessages(database, runId)).map(({ role, content }) => [
    role,
    content.toolCallId,
    content.text,
  ]);
  expect(told.slice(2)).toEqual([
    ['assistant', undefined, ''],
    ['tool', 'late', 'Not executed. The answer came too late: the call was already closed.'],
    ['user', undefined, 'again'],
  ]);
});

test('an answer stands with its own message', async () => {
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

test('a continued answer is read as one', async () => {
  const chatId = await newChat();
  await say(chatId, 'how');
  await answer(chatId, 'how', 'I look.', ['read_output']);
  await answer(chatId, 'how', 'The pass', [], { cutOff: true });
  await answer(chatId, 'how', 'word is', [], { cutOff: true });
  await answer(chatId, 'how', ' unknown.');
  await endExchange(database, { chatId, id: 'how', status: 'ANSWERED' });
  await say(chatId, 'why');
  await answer(chatId, 'why', 'Nobody said.');
  await endExchange(database, { chatId, id: 'why', status: 'ANSWERED' });
  const whole = ['The password is unknown.', 'Nobody said.'];
  const history = await readHistory(database, chatId);
  expect(history.map((exchange) => exchange.answer)).toEqual(whole);
  expect(history[0]?.steps.map((step) => (step.type === 'text' ? step.text : step.tool))).toEqual([
    'I look.',
    'read_output',
    whole[0],
  ]);
  expect((await readRecentExchanges(database, { chatId, limit: 10 })).map((recent) => recent.answer)).toEqual(whole);
});

test("recalled memories are not shown as the person's words", async () => {
  const chatId = await newChat();
  await say(chatId, 'tea', 'Tea or coffee?');
  const tea = { id: 'm-tea', kind: 'fact', text: 'Ada drinks tea.', score: 0.9, why: 'both' as const };
  const recollection = { ...tea, similarity: 0.7, source: null, createdAt: '2026-01-01T00:00:00.000Z' };
  const recalled = { text: '[Recalled: Ada drinks tea.]', recollections: [recollection] };
  const told = { ...start, moment: '[It is Sunday.]', recalled };
  const begun = await beginExchange(database, { chatId, id: 'tea' }, told);
  const { messages: stored } = await readConversation(database, begun?.runId ?? '');
  expect(stored.at(-1)?.content).toEqual({
    text: 'Tea or coffee?\n\n[It is Sunday.]\n\n[Recalled: Ada drinks tea.]',
    said: 'Tea or coffee?',
    recalled: ['m-tea'],
    recollections: [recollection],
  });
  expect(await readHistory(database, chatId)).toMatchObject([
    { said: 'Tea or coffee?', recalled: ['m-tea'], recollections: [recollection] },
  ]);
  expect(await readRecalled(database, begun?.runId ?? '')).toEqual(['m-tea']);
});

test('an empty or huge message is refused', async () => {
  const chatId = await newChat();
  await expect(say(chatId, 'empty', ' \n')).rejects.toMatchObject({ code: 'MessageUnusable' });
  await expect(say(chatId, 'long', 'x'.repeat(1_000_000))).rejects.toThrow(/at most 200000 characters, got 1000000/);
  await expect(say('chat-nope', 'lost')).rejects.toMatchObject({ code: 'UnknownChat' });
});

test("a chat's name is unique and can be typed", async () => {
  const chatId = await newChat();
  const other = await newChat();
  await expect(renameChat(database, chatId, `talk ${count}`)).rejects.toMatchObject({ code: 'ChatNameUnusable' });
  await expect(renameChat(database, chatId, 'two\nlines')).rejects.toThrow(/Expected the name of a chat/);
  await renameChat(database, chatId, 'better');
  expect(await resolveChat(database, 'better')).toMatchObject({ id: chatId });
  expect(await createChat(database, { id: 'chat-late', name: 'better' })).toMatchObject({ id: chatId });
  await setChatModel(database, chatId, 'openai/two');
  expect(await findChat(database, chatId)).toMatchObject({ model: 'openai/two' });
  await expect(resolveChat(database, 'nope')).rejects.toThrow(/No chat has the name or id "nope"\. The latest: /);
  expect(other).not.toBe(chatId);
});

test('a long conversation is read in parts', async () => {
  const chatId = await newChat();
  await say(chatId, 'm1');
  const runId = (await begin(chatId, 'm1'))?.runId;
  await endExchange(database, { chatId, id: 'm1', status: 'ANSWERED' });
  const [count, rows] = [3_000, 10];
  await database.execute(sql`insert into ${exchanges} (chat_id, id, number, text, status, run_id, message_number, turn, ended_at)
    select ${chatId}, 'm' || i, i, 'm' || i, 'ANSWERED', ${runId}, 1 + (i - 1) * ${rows}::int, i, now() from generate_series(2, ${count}::int) i`);
  await database.execute(sql`insert into ${messages} (run_id, number, turn, role, content)
    select ${runId}, n, (n - 1) / ${rows}::int + 1, case when (n - 1) % ${rows}::int = 0 then 'user' else 'assistant' end,
      jsonb_build_object('text', 'n' || n) from generate_series(2, ${count * rows}::int) n`);
  const took = async (read: () => Promise<unknown>) => {
    const since = performance.now();
    await read();
    return performance.now() - since;
  };
  /** A machine that stands still for a moment makes one of them slow. */
  const least = async (read: () => Promise<unknown>) => Math.min(await took(read), await took(read), await took(read));
  const history = await readHistory(database, chatId);
  // With a look at all rows for each message it is 15 s.
  expect(await least(() => readHistory(database, chatId))).toBeLessThan(5_000);
  expect(history).toHaveLength(count);
  expect(history.at(-1)).toMatchObject({ said: `m${count}`, answer: `n${count * rows}`, steps: { length: rows - 1 } });
  expect(await readHistory(database, chatId, { last: 2 })).toEqual(history.slice(-2));
  expect(await least(() => readHistory(database, chatId, { last: 2 }))).toBeLessThan(2_500);
});

test('a deleted chat leaves nothing and takes nothing of others', async () => {
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
