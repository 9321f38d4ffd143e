import { and, desc, eq, lte, ne } from 'drizzle-orm';
import { type Cut, cutAfter, unknownMessage } from '../../domain/stores/rules/message-rules.ts';
import { StoreError } from '../../domain/stores/store-error.ts';
import type { ChatRow, ChatTransaction } from '../chats/chat-transaction.ts';
import { hasOpenExchange } from '../chats/find-exchange.ts';
import type { Queryable } from '../connection/database.ts';
import { messages } from '../schema/runs.ts';
import { isNoNote } from './conversation-messages.ts';

export type MessageRow = typeof messages.$inferSelect;

/** @throws {StoreError} `ConversationBusy` while a message is being answered. */
export async function expectRest({ query, chat }: ChatTransaction): Promise<void> {
  if (!(await hasOpenExchange(query, chat.id))) return;
  throw new StoreError(
    'ConversationBusy',
    `A message of "${chat.name}" is being answered. Wait for the answer, or stop it, and try again.`,
  );
}

/** A message of the current branch. @throws {StoreError} `UnknownMessage` */
export async function messageAt(query: Queryable, { headRunId }: ChatRow, number: number): Promise<MessageRow> {
  const isAt = and(eq(messages.runId, headRunId ?? ''), eq(messages.number, number), isNoNote);
  const [row] = Number.isSafeInteger(number) ? await query.select().from(messages).where(isAt) : [];
  if (!row) throw unknownMessage(number);
  return row;
}

/** The person's message that a message answers, or the message itself. */
export async function findAsked(query: Queryable, { runId, number }: MessageRow): Promise<MessageRow | undefined> {
  const isBefore = and(eq(messages.runId, runId), lte(messages.number, number), eq(messages.role, 'user'), isNoNote);
  const [row] = await query.select().from(messages).where(isBefore).orderBy(desc(messages.number)).limit(1);
  return row;
}

export async function cutOf(query: Queryable, chat: ChatRow, after: number): Promise<Cut> {
  const message = await messageAt(query, chat, after);
  const [asked] = await query
    .select()
    .from(messages)
    .where(and(eq(messages.runId, message.runId), lte(messages.number, after), ne(messages.role, 'tool')))
    .orderBy(desc(messages.number))
    .limit(1);
  return cutAfter(message, asked ? { number: asked.number, calls: asked.content.toolCalls?.length ?? 0 } : null);
}
