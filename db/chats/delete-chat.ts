import { eq, inArray } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { chats, tasks } from '../schema/chats.ts';
import { events, exchanges, messages, runs, summaries, toolCalls } from '../schema/runs.ts';
import { usage } from '../schema/usage.ts';

/** Deletes a chat and all that was said in it; its tasks stay. Its workflow must not be running. */
export async function deleteChat(database: Database, chatId: string): Promise<void> {
  await database.transaction(async (query) => {
    await query.select().from(chats).where(eq(chats.id, chatId)).for('update');
    const own = query.select({ id: runs.id }).from(runs).where(eq(runs.chatId, chatId));
    await query.update(tasks).set({ chatId: null }).where(eq(tasks.chatId, chatId));
    await query.delete(exchanges).where(eq(exchanges.chatId, chatId));
    for (const table of [toolCalls, usage, summaries, messages]) {
      await query.delete(table).where(inArray(table.runId, own));
    }
    await query.delete(runs).where(eq(runs.chatId, chatId));
    await query.delete(events).where(eq(events.chatId, chatId));
    await query.delete(chats).where(eq(chats.id, chatId));
  });
}
