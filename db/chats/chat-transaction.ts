import { eq } from 'drizzle-orm';
import type { ChatEventData } from '../../domain/run/event.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { unknownChat } from '../database-error.ts';
import { addEvents } from '../events/add-to-owner.ts';
import { chats } from '../schema/chats.ts';

export type ChatRow = typeof chats.$inferSelect;

/** One transaction over a chat's rows; such transactions are serialized, so that exchange and event numbers have no gaps. */
export interface ChatTransaction {
  query: Queryable;
  chatId: string;
  /** Adds an event to the chat's log. */
  log(event: ChatEventData): Promise<void>;
  /** The row as locked. */
  chat: ChatRow;
}

/**
 * Locks the chat and does the work in one transaction.
 * @throws {DatabaseError} `UnknownChat` if no chat has the id.
 */
export async function inChat<Result>(
  database: Database,
  chatId: string,
  work: (transaction: ChatTransaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (query) => {
    const [chat] = await query.select().from(chats).where(eq(chats.id, chatId)).for('update');
    if (!chat) throw unknownChat(chatId);
    return work({ query, chatId, chat, log: (event) => addEvents(query, { kind: 'chat', id: chatId }, [event]) });
  });
}
