import { rm } from 'node:fs/promises';
import { forgetDeletedChat, listDeletedChats } from '../../db/chats/delete-chat.ts';
import type { Dependencies } from '../dependencies.ts';

/** Removes what a deleted chat kept outside the database: its own memories, its pictures, and its sandbox with all files. */
export async function discardChat(
  { memory, sandboxes, chatFolder }: Pick<Dependencies, 'memory' | 'sandboxes' | 'chatFolder'>,
  chatId: string,
): Promise<void> {
  const own = await memory.list({ scope: { sessionId: chatId, reach: 'own' }, history: true });
  await memory.forget(own.map(({ id }) => id));
  await rm(chatFolder(chatId), { recursive: true, force: true });
  await sandboxes.close(chatId);
}

/** Removes what deleted chats left behind because no worker was running, or because one still worked for them. Returns the chats' ids. */
export async function pruneDeletedChats(
  stores: Pick<Dependencies, 'database' | 'memory' | 'sandboxes' | 'chatFolder'>,
): Promise<string[]> {
  const deleted = await listDeletedChats(stores.database);
  for (const id of deleted) {
    await discardChat(stores, id);
    await forgetDeletedChat(stores.database, id);
  }
  return deleted;
}
