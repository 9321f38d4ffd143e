import { readdir } from 'node:fs/promises';
import type { Dependencies } from '../activities/dependencies.ts';
import { discardChat } from '../activities/discard-chat.ts';
import { listChats } from '../db/chats/chats.ts';

type Stores = Pick<Dependencies, 'database' | 'memory' | 'sandboxes' | 'chatsFolder' | 'chatFolder'>;

/** Removes what chats kept that were deleted while nobody could remove it; returns their ids, as folders are named after them. */
export async function pruneDeletedChats(stores: Stores): Promise<string[]> {
  const { database, sandboxes, chatsFolder, chatFolder } = stores;
  const folders = await listFolders(chatsFolder);
  const kept = (await sandboxes.listKept()).filter(({ owner }) => owner.purpose === 'chat').map(({ name }) => name);
  // Last, so that a chat that begins meanwhile is among them.
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
