import { and, eq, inArray, sql } from 'drizzle-orm';
import type { MessageImage, StoredImage } from '../../domain/chat/images.ts';
import type { Queryable } from '../connection/database.ts';
import { chatImages } from '../schema/files.ts';
import { messages } from '../schema/runs.ts';

/** Stores the pictures of a message, each once for its chat; returns how the message refers to them. */
export async function storeImages(query: Queryable, chatId: string, images: StoredImage[]): Promise<MessageImage[]> {
  for (const { hash, content } of images) {
    await query.insert(chatImages).values({ chatId, hash, content }).onConflictDoNothing();
  }
  return images.map(({ hash, type }) => ({ hash, type }));
}

/** The contents of pictures by their hashes. */
export async function readImages(query: Queryable, chatId: string, hashes: string[]): Promise<Map<string, Uint8Array>> {
  if (hashes.length === 0) return new Map();
  const rows = await query
    .select()
    .from(chatImages)
    .where(and(eq(chatImages.chatId, chatId), inArray(chatImages.hash, hashes)));
  return new Map(rows.map(({ hash, content }) => [hash, content]));
}

/** Gives a fork the pictures of the chat that it begins with. */
export async function copyImages(query: Queryable, from: string, to: string): Promise<void> {
  await query.execute(
    sql`insert into ${chatImages} (chat_id, hash, content) select ${to}, hash, content from ${chatImages} where chat_id = ${from}`,
  );
}

/** Takes the pictures out of a message, so that later requests are not refused because of them. */
export async function dropImages(query: Queryable, runId: string, number: number): Promise<void> {
  await query
    .update(messages)
    .set({ content: sql`${messages.content} - 'images'` })
    .where(and(eq(messages.runId, runId), eq(messages.number, number)));
}
