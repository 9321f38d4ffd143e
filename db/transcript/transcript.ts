import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Message, MessageContent, MessageRole } from '../../domain/run/message.ts';
import type { Queryable } from '../connection/database.ts';
import { storableJson } from '../connection/keep-storable.ts';
import { messages, runs, toolCalls } from '../schema/runs.ts';

export type RunRow = typeof runs.$inferSelect;

export async function findRun(query: Queryable, runId: string): Promise<RunRow | undefined> {
  const [row] = await query.select().from(runs).where(eq(runs.id, runId));
  return row;
}

export async function readRuns(query: Queryable, projectId: string): Promise<RunRow[]> {
  return query.select().from(runs).where(eq(runs.projectId, projectId)).orderBy(asc(runs.startedAt));
}

/** The runs of a chat and of those that it delegated to, oldest first. */
export async function readRunsOfChat(query: Queryable, chatId: string): Promise<RunRow[]> {
  return query.select().from(runs).where(eq(runs.chatId, chatId)).orderBy(asc(runs.startedAt));
}

/** All messages of a run in order. */
export async function readMessages(query: Queryable, runId: string): Promise<Message[]> {
  return query.select().from(messages).where(eq(messages.runId, runId)).orderBy(asc(messages.number));
}

/** The model's answer for a turn; undefined if there is none yet. */
export async function findAnswer(query: Queryable, runId: string, turn: number): Promise<Message | undefined> {
  const [row] = await query
    .select()
    .from(messages)
    .where(and(eq(messages.runId, runId), eq(messages.turn, turn), eq(messages.role, 'assistant')));
  return row;
}

/** Messages of a run by number, in the order requested; undefined for one that does not exist. */
export async function readMessagesAt(
  query: Queryable,
  runId: string,
  numbers: number[],
): Promise<Array<Message | undefined>> {
  const rows: Message[] = await query
    .select()
    .from(messages)
    .where(and(eq(messages.runId, runId), inArray(messages.number, numbers)));
  return numbers.map((number) => rows.find((row) => row.number === number));
}

export interface NewMessage {
  runId: string;
  number: number;
  turn: number;
  role: MessageRole;
  content: MessageContent;
}

/** Adds messages; if the number of one is taken, Postgres refuses all (`isAlreadyThere`). */
export function insertMessage(query: Queryable, ...added: NewMessage[]) {
  return query.insert(messages).values(added.map((message) => ({ ...message, content: storable(message.content) })));
}

/** Adds one message unless its number is taken, which means that an earlier attempt has written it. */
export async function writeMessage(query: Queryable, message: NewMessage): Promise<void> {
  await insertMessage(query, message).onConflictDoNothing();
}

/** Carried items may be signed and must not be altered, so they are dropped if Postgres cannot hold them as they are. */
function storable(content: MessageContent): MessageContent {
  const carried = JSON.stringify(content.carried);
  if (carried === undefined || carried === storableJson(carried)) return content;
  const { carried: _, ...rest } = content;
  return rest;
}

/** Adds a finished tool call, or the end of one that was begun. The message with its result, which is added with it, exists only once. */
export function insertToolCall(query: Queryable, call: typeof toolCalls.$inferInsert) {
  const { runId, turn, position } = toolCalls;
  return query
    .insert(toolCalls)
    .values(call)
    .onConflictDoUpdate({ target: [runId, turn, position], set: call });
}

/** Sets how many turns a run has taken. */
export function setTurns(query: Queryable, runId: string, turns: number) {
  return query.update(runs).set({ turns }).where(eq(runs.id, runId));
}
