import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { sayInstead } from '../../../db/chats/branches.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { beginExchange, endExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import {
  type DueTurn,
  endExtraction,
  findDueTurn,
  keepFoundAnswer,
  readWordsOfTurn,
} from '../../../db/chats/extractions.ts';
import { readHistory } from '../../../db/chats/read-history.ts';
import { readChatEvents } from '../../../db/events/read-events.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import type { NewCall } from '../../../db/usage/add-call.ts';
import { readUsage } from '../../../db/usage/read-usage.ts';
import { sumUsage } from '../../../db/usage/sum-usage.ts';
import type { Kept } from '../../../domain/memory/extraction.ts';
import type { ExchangeStatus } from '../../../domain/project/statuses.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();

async function take(chatId: string, id: string, status: ExchangeStatus, extract = true): Promise<void> {
  await keepExchange(database, { chatId, id, text: `said ${id}` });
  const begun = await beginExchange(database, { chatId, id }, { instructions: 'You chat.', model: 'm' });
  const { runId = '', turn = 0 } = begun ?? {};
  const number = (await readMessages(database, runId)).length;
  // An answer that broke off in the middle of a word, and went on.
  await insertMessage(database, { runId, number, turn, role: 'assistant', content: { text: 'ans', cutOff: true } });
  const rest = { text: `wer to ${id}` };
  await insertMessage(database, { runId, number: number + 1, turn: turn + 1, role: 'assistant', content: rest });
  await endExchange(database, { chatId, id, status, extract });
}

/** A model call that extracted memories from a turn. */
function callOf({ runId, turn }: DueTurn, place: number): NewCall {
  const spent = { model: 'm', inputTokens: 5, outputTokens: 2, costUsd: 0.25, durationMs: 1 };
  return { id: randomUUID(), runId, turn, summaryUpTo: -2 - place, purpose: 'extraction', ...spent };
}

test('memory extraction takes each answered turn once, where it is wanted', async () => {
  await createChat(database, { id: 'chat-a', name: 'a' });
  await createChat(database, { id: 'chat-quiet', name: 'quiet', memory: false });
  await take('chat-quiet', 'secret', 'ANSWERED');
  await take('chat-a', 'off', 'ANSWERED', false);
  await take('chat-a', 'stopped', 'STOPPED');
  expect(await findDueTurn(database, 'chat-quiet')).toBeUndefined();
  expect(await findDueTurn(database, 'chat-a')).toBeUndefined();
  await take('chat-a', 'one', 'ANSWERED');
  await take('chat-a', 'two', 'LIMITED');
  const due = await findDueTurn(database, 'chat-a');
  expect(due).toMatchObject({ exchangeId: 'one', runId: 'chat-a-r1' });
  if (!due) return;
  const { said, before } = await readWordsOfTurn(database, due);
  expect(said.map(({ content }) => content.text)).toEqual(['said one', 'answer to one']);
  expect(before.map(({ content }) => content.text)).toEqual(['said stopped', 'answer to stopped']);
});

test('an extraction that two attempts brought is stored once, and both are in the usage', async () => {
  const due = await findDueTurn(database, 'chat-a');
  if (!due) throw new Error('Expected a turn.');
  await Promise.all(
    [1, 2, 3].map((attempt) =>
      keepFoundAnswer(database, due, 0, { text: `attempt ${attempt}`, complaint: 'not JSON' }, callOf(due, 0)),
    ),
  );
  const last = callOf(due, 1);
  // As after an outage that swallowed the confirmation of Postgres.
  for (const _ of [1, 2]) await keepFoundAnswer(database, due, 1, { text: '{"keep":[]}', complaint: null }, last);
  const again = await findDueTurn(database, 'chat-a');
  expect(again).toMatchObject({ exchangeId: 'one', extraction: { status: 'ASKED' } });
  expect(again?.extraction.answers.map(({ complaint }) => complaint)).toEqual(['not JSON', null]);
  expect(await sumUsage(database, { chatId: 'chat-a' })).toMatchObject({ inputTokens: 20, outputTokens: 8, turns: 0 });
  const outcomes = (await readUsage(database, due.runId)).map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual(['ANSWERED', 'ANSWERED', 'UNUSED', 'UNUSED']);
});

test('a stored extraction is reported once', async () => {
  const due = await findDueTurn(database, 'chat-a');
  if (!due) throw new Error('Expected a turn.');
  const kept: Kept = {
    ...{ kind: 'fact', text: 'Ada has a cat.', replaces: null, id: 'k', outcome: 'added', superseded: [] },
  };
  await endExtraction(database, due, { kept: [kept] });
  await endExtraction(database, due, { reason: 'too late' });
  const next = await findDueTurn(database, 'chat-a');
  expect(next?.exchangeId).toBe('two');
  if (next) await endExtraction(database, next, { reason: 'no such model' });
  expect(await findDueTurn(database, 'chat-a')).toBeUndefined();
  expect((await readHistory(database, 'chat-a')).slice(-2)).toMatchObject([{ kept: [kept] }, { kept: [] }]);
  const told = (await readChatEvents(database, 'chat-a')).map(({ data }) => data);
  expect(told.filter(({ type }) => type === 'memories.extracted')).toEqual([
    { type: 'memories.extracted', exchange: 'one', kept: 1 },
    { type: 'memories.extracted', exchange: 'two', kept: 0, reason: 'no such model' },
  ]);
});

test('a question that the person replaced is not learned from', async () => {
  await createChat(database, { id: 'chat-b', name: 'b' });
  await take('chat-b', 'slip', 'ANSWERED');
  const due = await findDueTurn(database, 'chat-b');
  if (!due) throw new Error('Expected a turn.');
  await sayInstead(database, { chatId: 'chat-b', instead: 'slip', id: 'right', text: 'right' });
  expect(await findDueTurn(database, 'chat-b')).toBeUndefined();
  expect(await keepFoundAnswer(database, due, 0, { text: '{"keep":[]}', complaint: null }, callOf(due, 0))).toBe(false);
  expect(await sumUsage(database, { chatId: 'chat-b' })).toMatchObject({ inputTokens: 5 });
});

test('turns of a branch that was left are not learned from', async () => {
  const chatId = 'chat-c';
  await createChat(database, { id: chatId, name: 'c' });
  for (const id of ['one', 'two', 'three']) await take(chatId, id, 'ANSWERED');
  const again = (instead: string, id: string) => sayInstead(database, { chatId, instead, id, text: id });
  await again('three', 'three, otherwise');
  await take(chatId, 'three, otherwise', 'ANSWERED');
  await again('two', 'two, otherwise');
  await take(chatId, 'two, otherwise', 'ANSWERED');
  const looked: string[] = [];
  for (let due = await findDueTurn(database, chatId); due; due = await findDueTurn(database, chatId)) {
    looked.push(due.exchangeId);
    await endExtraction(database, due, { kept: [] });
  }
  expect(looked).toEqual(['one', 'two, otherwise']);
});
