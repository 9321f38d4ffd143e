import { expect, test } from '@jest/globals';
import { and, eq } from 'drizzle-orm';
import { listBranches, sayInstead } from '../../../db/chats/branches.ts';
import { createChat, resolveChat } from '../../../db/chats/chats.ts';
import { deleteChat } from '../../../db/chats/delete-chat.ts';
import { beginExchange, endExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { readRecalled } from '../../../db/chats/find-exchange.ts';
import { forkChat } from '../../../db/chats/fork-chat.ts';
import { readHistory } from '../../../db/chats/read-history.ts';
import { readRecentExchanges } from '../../../db/chats/read-recent.ts';
import { addToOwner } from '../../../db/events/add-to-owner.ts';
import { runs, toolCalls } from '../../../db/schema/runs.ts';
import { usage } from '../../../db/schema/usage.ts';
import { readConversation } from '../../../db/transcript/read-conversation.ts';
import { insertSummary } from '../../../db/transcript/summaries.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { sumUsage } from '../../../db/usage/sum-usage.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
let count = 0;

async function newChat(): Promise<string> {
  count += 1;
  return (await createChat(database, { id: `chat-${count}`, name: `talk ${count}` })).id;
}

/** Answers an open message with a tool call, its result and a text. */
async function answer(chatId: string, id: string, recalled: string[] = []): Promise<string> {
  const recollections = recalled.map((one) => ({
    ...{ id: one, kind: 'fact', text: one, score: 1, why: 'text' as const },
    ...{ similarity: null, source: null, createdAt: '2026-01-01T00:00:00.000Z' },
  }));
  const start = { instructions: 'You chat.', model: 'openai/one' };
  const begun = await beginExchange(
    database,
    { chatId, id },
    { ...start, ...(recalled.length && { recalled: { text: '[Recalled]', recollections } }) },
  );
  if (!begun) throw new Error(`Expected ${id} to be open.`);
  const { runId, turn } = begun;
  const number = (await readMessages(database, runId)).length;
  const toolCall = { id: `call-${turn}`, name: 'search_memory', arguments: '{}' };
  const row = (more: number, later: number, role: 'assistant' | 'tool', content: object) =>
    insertMessage(database, {
      runId,
      number: number + more,
      turn: turn + later,
      role,
      content: { text: '', ...content },
    });
  await addToOwner(
    database,
    { kind: 'chat', id: chatId },
    {
      events: [{ type: 'budget.warned', limit: 'run usd', text: 'as an event of a run' }],
      rows: (query) => [
        row(0, 0, 'assistant', { toolCalls: [toolCall] }),
        row(1, 0, 'tool', { text: 'Found.', toolCallId: toolCall.id }),
        row(2, 1, 'assistant', { text: `To ${id}.` }),
        query.insert(toolCalls).values({ runId, turn, position: 0, name: 'search_memory', failed: false }),
        query.insert(usage).values({ runId, turn, model: 'm', inputTokens: 10, durationMs: 1 }),
        query
          .update(runs)
          .set({ turns: turn + 1 })
          .where(eq(runs.id, runId)),
      ],
    },
  );
  await endExchange(database, { chatId, id, status: 'ANSWERED' });
  return runId;
}

async function talk(chatId: string, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await keepExchange(database, { chatId, id, text: id });
    await answer(chatId, id);
  }
}

const saidIn = async (chatId: string, branch?: string) =>
  (await readHistory(database, chatId, { branch })).map(({ said, answer: told }) => `${said} ${told}`.trim());
const recentIn = async (chatId: string) =>
  (await readRecentExchanges(database, { chatId, limit: 20 })).map(({ said, answer: told }) => `${said} ${told}`);

/** The user messages of a run, as the model gets them. */
async function toldIn(runId: string): Promise<string[]> {
  const { messages } = await readConversation(database, runId);
  expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index));
  return messages.flatMap(({ role, content }) => (role === 'user' ? [content.text] : []));
}

test('a changed message starts a branch without later messages, and the old branch stays', async () => {
  const chatId = await newChat();
  await talk(chatId, 'one', 'two', 'three');
  await sayInstead(database, { chatId, instead: 'two', id: 'new', text: 'new two' });
  expect(await saidIn(chatId)).toEqual(['one To one.', 'new two']);
  const runId = await answer(chatId, 'new');
  await talk(chatId, 'four');
  expect(await saidIn(chatId)).toEqual(['one To one.', 'new two To new.', 'four To four.']);
  expect(await saidIn(chatId, 'r1')).toEqual(['one To one.', 'two To two.', 'three To three.']);
  const { messages } = await readConversation(database, runId);
  expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index));
  expect(messages.map(({ content }) => content.text).filter(Boolean)).toEqual([
    ...['You chat.', 'one', 'Found.', 'To one.', 'new two', 'Found.', 'To new.', 'four', 'Found.', 'To four.'],
  ]);
  const history = await readHistory(database, chatId);
  for (const last of [1, 2, 3, 9]) expect(await readHistory(database, chatId, { last })).toEqual(history.slice(-last));
  expect(history.every(({ steps }) => steps[0]?.type === 'tool' && steps[0].failed === false)).toBe(true);
  expect(await recentIn(chatId)).toEqual(['one To one.', 'new two To new.', 'four To four.']);
  expect(await sumUsage(database, { chatId })).toMatchObject({ inputTokens: 50, turns: 5 });
});

test('branches of branches are listed and kept apart', async () => {
  const chatId = await newChat();
  await talk(chatId, 'one', 'two', 'three');
  const again = (instead: string, id: string) => sayInstead(database, { chatId, instead, id, text: id });
  await again('three', 'three-2');
  await answer(chatId, 'three-2');
  await again('three-2', 'three-3');
  await answer(chatId, 'three-3');
  await again('one', 'one-2');
  await answer(chatId, 'one-2');
  await again('two', 'two-2');
  await answer(chatId, 'two-2');
  expect(await saidIn(chatId, 'r2')).toEqual(['one To one.', 'two To two.', 'three-2 To three-2.']);
  expect(await saidIn(chatId, 'r3')).toEqual(['one To one.', 'two To two.', 'three-3 To three-3.']);
  expect(await saidIn(chatId, 'r4')).toEqual(['one-2 To one-2.']);
  expect(await saidIn(chatId)).toEqual(['one To one.', 'two-2 To two-2.']);
  expect(await recentIn(chatId)).toEqual(['one To one.', 'two-2 To two-2.']);
  const branches = await listBranches(database, await resolveChat(database, chatId));
  expect(branches.map(({ name, continues, current, messages, begins }) => [name, continues, current, messages, begins])) //
    .toEqual([
      ['r1', null, false, 3, 'one'],
      ['r2', 'r1', false, 3, 'three-2'],
      ['r3', 'r2', false, 3, 'three-3'],
      ['r4', 'r1', false, 1, 'one-2'],
      ['r5', 'r1', true, 2, 'two-2'],
    ]);
  await expect(readHistory(database, chatId, { branch: 'r9' })).rejects.toThrow(
    /has no branch "r9". It has r1, r2, r3, r4, r5\./,
  );
  await deleteChat(database, chatId);
});

test('a repeated request starts one branch, and none while an answer runs', async () => {
  const chatId = await newChat();
  await talk(chatId, 'one');
  await Promise.all([1, 2, 3].map(() => sayInstead(database, { chatId, instead: 'one', id: 'again', text: 'again' })));
  expect(await listBranches(database, await resolveChat(database, chatId))).toHaveLength(2);
  await expect(sayInstead(database, { chatId, instead: 'one', id: 'more', text: 'more' })).rejects.toMatchObject({
    code: 'BranchUnusable',
  });
  await expect(forkChat(database, chatId, { id: 'chat-fork', name: 'fork' })).rejects.toThrow(
    /while an answer is running/,
  );
  await answer(chatId, 'again');
  await expect(sayInstead(database, { chatId, instead: 'nope', id: 'more', text: 'more' })).rejects.toThrow(
    /found none with the id "nope"/,
  );
  await expect(sayInstead(database, { chatId, instead: 'one', id: 'more', text: ' ' })).rejects.toThrow(
    /got an empty one/,
  );
  expect(await listBranches(database, await resolveChat(database, chatId))).toHaveLength(2);
});

test('recall and summaries of the other branch do not count in the new one', async () => {
  const chatId = await newChat();
  for (const id of ['one', 'two', 'three']) {
    await keepExchange(database, { chatId, id, text: id });
    await answer(chatId, id, [`memory-${id}`]);
  }
  const summary = { runId: `${chatId}-r1`, written: 'S', shown: 'S', failure: null };
  await insertSummary(database, { ...summary, upToMessage: 4, turn: 3 });
  await insertSummary(database, { ...summary, upToMessage: 8, turn: 5 });
  await database
    .update(runs)
    .set({ shortenedUpTo: 8 })
    .where(eq(runs.id, `${chatId}-r1`));
  await sayInstead(database, { chatId, instead: 'three', id: 'new', text: 'new' });
  expect(await readConversation(database, `${chatId}-r2`)).toMatchObject({
    shortenedUpTo: 8,
    summary: { upToMessage: 4, shown: 'S' },
  });
  expect(await readRecalled(database, `${chatId}-r2`)).toEqual(['memory-two']);
});

test('a fork is independent of its original, and its copied cost counts once', async () => {
  const chatId = await newChat();
  await talk(chatId, 'one', 'two');
  await sayInstead(database, { chatId, instead: 'two', id: 'new', text: 'new' });
  await answer(chatId, 'new');
  await expect(forkChat(database, chatId, { id: 'chat-taken', name: 'talk 1' })).rejects.toMatchObject({
    code: 'ChatNameUnusable',
  });
  const { id } = await forkChat(database, chatId, { id: `chat-fork-${count}`, name: 'a fork' });
  await talk(chatId, 'more');
  await talk(id, 'other');
  const before = ['one To one.', 'new To new.'];
  expect(await saidIn(chatId)).toEqual([...before, 'more To more.']);
  expect(await saidIn(id)).toEqual([...before, 'other To other.']);
  expect((await readHistory(database, id)).map(({ number }) => number)).toEqual([1, 2, 3]);
  const note = expect.stringContaining(`forked here from "talk ${count}"`);
  expect(await toldIn(`${id}-r1`)).toEqual(['one', 'new', note, 'other']);
  expect(await sumUsage(database, { chatId: id })).toMatchObject({ turns: 1 });
  const recent = async () =>
    (await readRecentExchanges(database, { limit: 4 })).map(({ chat, said }) => `${chat}: ${said}`);
  expect(await recent()).toEqual([`talk ${count}: one`, `talk ${count}: new`, `talk ${count}: more`, 'a fork: other']);
  await sayInstead(database, { chatId, instead: 'one', id: 'instead', text: 'instead' });
  await answer(chatId, 'instead');
  expect(await toldIn(`${chatId}-r3`)).toEqual(['instead']);
  expect(await recent()).toEqual(['a fork: one', 'a fork: new', 'a fork: other', `talk ${count}: instead`]);
  await deleteChat(database, chatId);
  expect(await saidIn(id)).toEqual([...before, 'other To other.']);
  const empty = await newChat();
  await expect(forkChat(database, empty, { id: 'chat-x', name: 'x' })).rejects.toThrow('The chat has no messages yet');
  expect(
    await database
      .select()
      .from(runs)
      .where(and(eq(runs.chatId, id), eq(runs.role, 'chat'))),
  ).toHaveLength(1);
  await sayInstead(database, { chatId: id, instead: 'new', id: 'newer', text: 'newer' });
  await answer(id, 'newer');
  await sayInstead(database, { chatId: id, instead: 'newer', id: 'newest', text: 'newest' });
  await answer(id, 'newest');
  expect(await toldIn(`${id}-r3`)).toEqual(['one', note, 'newest']);
  expect(await saidIn(id)).toEqual(['one To one.', 'newest To newest.']);
});
