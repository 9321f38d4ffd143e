import { rm } from 'node:fs/promises';
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
