import { discardChat } from '../activities/chat/discard-chat.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { forgetDeletedChat, listDeletedChats } from '../db/chats/delete-chat.ts';

type Stores = Pick<Dependencies, 'database' | 'memory' | 'sandboxes' | 'chatFolder'>;

/** Removes what deleted chats left behind because no worker was running, or because one still worked for them. Returns the chats' ids. */
export async function pruneDeletedChats(stores: Stores): Promise<string[]> {
  const deleted = await listDeletedChats(stores.database);
  for (const id of deleted) {
    await discardChat(stores, id);
    await forgetDeletedChat(stores.database, id);
  }
  return deleted;
}
