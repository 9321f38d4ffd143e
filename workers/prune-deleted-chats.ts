import { readdir } from 'node:fs/promises';
import type { Dependencies } from '../activities/dependencies.ts';
import { discardChat } from '../activities/discard-chat.ts';
import { listChats } from '../db/chats/chats.ts';

type Stores = Pick<Dependencies, 'database' | 'memory' | 'sandboxes' | 'chatsFolder' | 'chatFolder'>;

/** Removes what deleted chats left behind because no worker was running. Returns their ids, as they appear in folder names. */
export async function pruneDeletedChats(stores: Stores): Promise<string[]> {
  const { database, sandboxes, chatsFolder, chatFolder } = stores;
  const folders = await listFolders(chatsFolder);
  const kept = (await sandboxes.listKept()).filter(({ owner }) => owner.purpose === 'chat').map(({ name }) => name);
  // Read last, so that a chat created in the meantime counts as known.
  const known = new Set((await listChats(database)).map(({ id }) => chatFolder(id)));
  const deleted = [...new Set([...folders, ...kept])].filter((id) => !known.has(chatFolder(id)));
  for (const id of deleted) await discardChat(stores, id);
  return deleted;
}

async function listFolders(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
