import { randomUUID } from 'node:crypto';
import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm';
import type { MessageImage } from '../../domain/chat/images.ts';
import type { MessageContent } from '../../domain/run/message.ts';
import type { NewConversationMessage } from '../../domain/stores/conversations.ts';
import {
  type EndMessage,
  endOf,
  type Placed,
  placeMessages,
  unusable,
} from '../../domain/stores/rules/message-rules.ts';
import type { Queryable } from '../connection/database.ts';
import { chats } from '../schema/chats.ts';
import { exchanges, messages, runs, toolCalls } from '../schema/runs.ts';
import { findRun, insertMessage, setTurns } from '../transcript/transcript.ts';
import type { ChatTransaction } from './chat-transaction.ts';

/** A message as it was added. */
export interface AppendedMessage extends Pick<MessageRow, 'number' | 'role' | 'content' | 'createdAt'> {
  /** Of a tool's result. */
  failed: boolean | null;
}

type MessageRow = typeof messages.$inferSelect;

/** What has to be known before messages are added to a chat. */
interface BeforeAppend {
  /** Where these messages were added before; undefined if they are new. */
  known: { runId: string; numbers: number[] } | undefined;
  turns: number;
  tail: EndMessage[];
}

export async function readBeforeAppend(
  { query, chat }: ChatTransaction,
  added: NewConversationMessage[],
): Promise<BeforeAppend> {
  const { id, headRunId } = chat;
  const [known, run, tail] = await Promise.all([
    findKnown(query, id, added),
    headRunId === null ? undefined : findRun(query, headRunId),
    headRunId === null ? [] : readTail(query, headRunId),
  ]);
  return { known, turns: run?.turns ?? 0, tail };
}

/**
 * Adds messages to the current branch of a chat as a program says them: a person's becomes an exchange, answers count as turns, results of tools as
 * calls. Costs the same however long the chat is; what is written is sent at once, since all who add to the chat wait for it.
 * @throws {StoreError} `MessageUnusable`
 */
export async function appendMessages(
  { query, chat }: ChatTransaction,
  { turns, tail }: Omit<BeforeAppend, 'known'>,
  added: NewConversationMessage[],
  images: MessageImage[] = [],
): Promise<AppendedMessage[]> {
  const runId = chat.headRunId ?? `${chat.id}-r1`;
  const { placed, end } = placeMessages(endOf(tail, turns), added, { isEmpty: !tail.length });
  const said = placed.filter(({ message }) => message.role === 'user');
  const results = placed.flatMap((one) =>
    one.call ? [{ runId, turn: one.turn, ...one.call, ...endOfCall(one) }] : [],
  );
  const newRun = { id: runId, chatId: chat.id, role: 'chat', model: chat.model ?? '', status: 'RUNNING' as const };
  const place = { headRunId: runId, exchangeCount: chat.exchangeCount + said.length, lastUsedAt: new Date() };
  const rowOf = (one: Placed) => ({ runId, ...placeOf(one), role: one.message.role, content: contentOf(one, images) });
  const [, rows] = await Promise.all([
    chat.headRunId === null && query.insert(runs).values(newRun),
    insertMessage(query, ...placed.map(rowOf)).returning(),
    setTurns(query, runId, end.turns),
    said.length && query.insert(exchanges).values(said.map(exchangeOf)),
    results.length && query.insert(toolCalls).values(results),
    query.update(chats).set(place).where(eq(chats.id, chat.id)),
  ]);
  return placed.flatMap(({ number, message }) => {
    const failed = message.role === 'tool' ? message.failed === true : null;
    return rows.filter((row) => row.number === number).map((row) => ({ ...row, failed }));
  });

  function exchangeOf({ message, number: messageNumber, turn }: Placed, index: number) {
    const { id = `message-${randomUUID()}`, text } = message;
    const ended = { status: 'ANSWERED' as const, endedAt: new Date(), images: images.length ? images : null };
    return { chatId: chat.id, id, text, runId, messageNumber, turn, number: chat.exchangeCount + 1 + index, ...ended };
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
): Promise<BeforeAppend['known']> {
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
