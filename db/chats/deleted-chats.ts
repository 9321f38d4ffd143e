import { eq, notExists } from 'drizzle-orm';
import type { Database, Queryable } from '../connection/database.ts';
import { chats, deletedChats } from '../schema/chats.ts';

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
