import { eq, inArray, notExists, sql } from 'drizzle-orm';
import { scopeKey } from '../../domain/stores/scope.ts';
import type { Database, Queryable, Transaction } from '../connection/database.ts';
import { chats, deletedChats, tasks } from '../schema/chats.ts';
import { requests } from '../schema/requests.ts';
import { events, exchanges, messages, runs, summaries, toolCalls } from '../schema/runs.ts';
import { memoryEntries } from '../schema/stores.ts';
import { usage } from '../schema/usage.ts';

/**
 * Deletes a chat, all that was said in it and the entries of its session; its tasks stay. Its workflow must not be running. The id is kept until what the chat left outside the
 * database is discarded.
 */
export async function deleteChat(database: Database, chatId: string): Promise<void> {
  await database.transaction((query) => deleteChatIn(query, chatId));
}

/** False if there is none. */
export async function deleteChatIn(query: Transaction, chatId: string): Promise<boolean> {
  const [chat] = await query.select().from(chats).where(eq(chats.id, chatId)).for('update');
  if (!chat) return false;
  await query.insert(deletedChats).values({ id: chatId }).onConflictDoNothing();
  const own = query.select({ id: runs.id }).from(runs).where(eq(runs.chatId, chatId));
  const person = sql`coalesce(${tasks.person}, ${chat.person})`;
  await query.update(tasks).set({ chatId: null, person }).where(eq(tasks.chatId, chatId));
  await query.delete(memoryEntries).where(eq(memoryEntries.owner, scopeKey({ session: chatId })));
  await query.delete(exchanges).where(eq(exchanges.chatId, chatId));
  await query.delete(requests).where(eq(requests.chatId, chatId));
  // What a call used may still be stored beside this: it waits until the run is gone.
  await query.select({ id: runs.id }).from(runs).where(eq(runs.chatId, chatId)).for('update');
  for (const table of [toolCalls, usage, summaries, messages]) {
    await query.delete(table).where(inArray(table.runId, own));
  }
  await query.delete(runs).where(eq(runs.chatId, chatId));
  await query.delete(events).where(eq(events.chatId, chatId));
  await query.delete(chats).where(eq(chats.id, chatId));
  return true;
}

/** Ids of the deleted chats that may have left something outside the database. A chat that is only unknown here may be another database's. */
export async function listDeletedChats(query: Queryable): Promise<string[]> {
  const isThereAgain = query.select({ id: chats.id }).from(chats).where(eq(chats.id, deletedChats.id));
  const rows = await query.select({ id: deletedChats.id }).from(deletedChats).where(notExists(isThereAgain));
  return rows.map(({ id }) => id);
}

/** Forgets that the chat was there, once nothing of it is left. */
export async function forgetDeletedChat(database: Database, id: string): Promise<void> {
  await database.delete(deletedChats).where(eq(deletedChats.id, id));
}
