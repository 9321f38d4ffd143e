import { randomUUID } from 'node:crypto';
import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm';
import type { MessageImage } from '../../domain/chat/images.ts';
import type { MessageContent } from '../../domain/run/message.ts';
import type { NewConversationMessage } from '../../domain/stores/conversations.ts';
import { type EndMessage, endOf, type Placed, placeMessages, unusable } from '../../domain/stores/message-rules.ts';
import type { Queryable } from '../connection/database.ts';
import { chats } from '../schema/chats.ts';
import { exchanges, messages, runs, toolCalls } from '../schema/runs.ts';
import { findRun, insertMessage, setTurns } from '../transcript/transcript.ts';
import type { ChatTransaction } from './chat-transaction.ts';

/** Where messages were added: their run and numbers. */
export interface AppendedMessages {
  runId: string;
  numbers: number[];
}

/**
 * Adds messages to the current branch of a chat as a program says them: a person's becomes an exchange, answers count as turns, results of tools as
 * calls. Costs the same however long the chat is. Messages whose ids are known are not added again.
 * @throws {StoreError} `MessageUnusable`
 */
export async function appendMessages(
  { query, chat }: ChatTransaction,
  added: NewConversationMessage[],
  { images = [] }: { images?: MessageImage[] } = {},
): Promise<AppendedMessages> {
  const runId = chat.headRunId ?? `${chat.id}-r1`;
  const known = await findKnown(query, chat.id, added);
  if (known) return known;
  if (chat.headRunId === null)
    await query
      .insert(runs)
      .values({ id: runId, chatId: chat.id, role: 'chat', model: chat.model ?? '', status: 'RUNNING' });
  const [run, tail] = await Promise.all([findRun(query, runId), readTail(query, runId)]);
  const { placed, end } = placeMessages(endOf(tail, run?.turns ?? 0), added, { isEmpty: !tail.length });
  await insertMessage(
    query,
    ...placed.map((one) => ({ runId, ...placeOf(one), role: one.message.role, content: contentOf(one, images) })),
  );
  await setTurns(query, runId, end.turns);
  const said = placed.filter(({ message }) => message.role === 'user');
  if (said.length) await query.insert(exchanges).values(said.map((one, index) => exchangeOf(one, index)));
  const results = placed.flatMap((one) =>
    one.call ? [{ runId, turn: one.turn, ...one.call, ...endOfCall(one) }] : [],
  );
  if (results.length) await query.insert(toolCalls).values(results);
  await query
    .update(chats)
    .set({ headRunId: runId, exchangeCount: chat.exchangeCount + said.length, lastUsedAt: new Date() })
    .where(eq(chats.id, chat.id));
  return { runId, numbers: placed.map(({ number }) => number) };

  function exchangeOf({ message, number: messageNumber, turn }: Placed, index: number) {
    const place = { runId, messageNumber, turn, number: chat.exchangeCount + 1 + index };
    const { id = `message-${randomUUID()}`, text } = message;
    const ended = { status: 'ANSWERED' as const, endedAt: new Date() };
    return { chatId: chat.id, id, text, ...place, ...ended, images: images.length ? images : null };
  }
}

function placeOf({ number, turn }: Placed) {
  return { number, turn };
}

function endOfCall({ message }: Placed) {
  return { failed: message.role === 'tool' && message.failed === true, endedAt: new Date() };
}

function contentOf({ message }: Placed, images: MessageImage[]): MessageContent {
  const { id, text, role } = message;
  return {
    text,
    ...(id !== undefined && { id }),
    ...(role === 'assistant' && message.toolCalls?.length && { toolCalls: message.toolCalls }),
    ...(role === 'tool' && { toolCallId: message.toolCallId }),
    ...(role === 'user' && images.length && { images }),
  };
}

/** The last message of a run that is no tool's result, and the results after it. */
async function readTail(query: Queryable, runId: string): Promise<EndMessage[]> {
  const last = sql`(select last.number from ${messages} last where last.run_id = ${runId} and last.role <> 'tool'
    order by last.number desc limit 1)`;
  const rows = await query
    .select()
    .from(messages)
    .where(and(eq(messages.runId, runId), gte(messages.number, last)))
    .orderBy(asc(messages.number));
  return rows.map(({ number, turn, role, content: { toolCalls: calls = [], toolCallId = null } }) => ({
    ...{ number, turn, role, toolCalls: calls, toolCallId },
  }));
}

/** The messages of the chat with the ids of these; undefined if none of them was added before. */
async function findKnown(
  query: Queryable,
  chatId: string,
  added: NewConversationMessage[],
): Promise<AppendedMessages | undefined> {
  const ids = added.flatMap(({ id }) => id ?? []);
  if (!ids.length) return undefined;
  const id = sql<string>`${messages.content}->>'id'`;
  const ofChat = query
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.chatId, chatId), eq(runs.role, 'chat')));
  const rows = await query
    .select({ id, runId: messages.runId, number: messages.number })
    .from(messages)
    .where(and(inArray(messages.runId, ofChat), sql`${messages.content} ? 'id'`, inArray(id, ids)));
  const [first] = rows;
  if (!first) return undefined;
  const inRun = rows.filter(({ runId }) => runId === first.runId);
  const found = added.flatMap((one) => inRun.find((row) => row.id === one.id)?.number ?? []);
  if (found.length === added.length) return { runId: first.runId, numbers: found };
  throw unusable(`The message "${first.id}" was added before, without the others.`);
}
