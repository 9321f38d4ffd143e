import { findChat } from '../db/chats/chats.ts';
import type { Database } from '../db/database.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';

/** Removes the files of chats that were deleted while nobody could remove them; returns the names of their sandboxes. */
export async function sweepChats(sandboxes: Sandboxes, database: Database): Promise<string[]> {
  const removed: string[] = [];
  for (const { name, owner } of await sandboxes.listKept()) {
    if (owner.purpose !== 'chat' || (await findChat(database, owner.owner))) continue;
    await sandboxes.close(name);
    removed.push(name);
  }
  return removed;
}
