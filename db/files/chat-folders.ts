import { eq } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { chatFolders } from '../schema/files.ts';

export type ChatFolderRow = typeof chatFolders.$inferSelect;

/** The folder that a chat works on a copy of; undefined if there is none. */
export async function findChatFolder(query: Queryable, chatId: string): Promise<ChatFolderRow | undefined> {
  const [row] = await query.select().from(chatFolders).where(eq(chatFolders.chatId, chatId));
  return row;
}

/** Stores which folder a chat works on a copy of, and what that copy is compared with. */
export async function setChatFolder(query: Queryable, row: ChatFolderRow): Promise<void> {
  await query.insert(chatFolders).values(row).onConflictDoUpdate({ target: chatFolders.chatId, set: row });
}
