import { desc, eq, or } from 'drizzle-orm';
import { describeAmbiguous, matchReference } from '../../domain/match-reference.ts';
import type { ChatAgent } from '../../domain/project/settings.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { isAlreadyThere } from '../connection/query-errors.ts';
import { DatabaseError } from '../database-error.ts';
import { chats } from '../schema/chats.ts';
import { type ChatRow, inChat } from './chat-transaction.ts';

/** Maximum characters of a name. */
export const maxNameLength = 80;

interface NewChatOptions {
  model?: string;
  memory?: boolean;
  agent?: ChatAgent;
  person?: string | null;
  projectId?: string | null;
  parentId?: string;
}

/** Adds a chat, or returns the existing one of the same name. */
export async function createChat(
  query: Queryable,
  chat: Pick<ChatRow, 'id' | 'name'> & NewChatOptions,
): Promise<ChatRow> {
  expectName(chat.name);
  await query.insert(chats).values(chat).onConflictDoNothing();
  const [row] = await query.select().from(chats).where(eq(chats.name, chat.name));
  if (!row) throw new Error(`Expected the chat "${chat.name}", which was just added.`);
  return row;
}

/** By name or id, the name first; undefined if there is none. */
export async function findChat(query: Queryable, reference: string): Promise<ChatRow | undefined> {
  const rows = await query
    .select()
    .from(chats)
    .where(or(eq(chats.id, reference), eq(chats.name, reference)));
  return rows.find(({ name }) => name === reference) ?? rows[0];
}

/**
 * Finds a chat by its id, else its name, else the start of its id, with or without `chat-`.
 * @throws {DatabaseError} `UnknownChat` listing the latest chats, or those that match.
 */
export async function resolveChat(query: Queryable, reference: string): Promise<ChatRow> {
  const found = await findChat(query, reference);
  if (found) return found;
  const all = await listChats(query);
  const fitting = matchReference(all, reference, 'chat-');
  if (fitting.length === 1 && fitting[0]) return fitting[0];
  if (fitting.length > 1) {
    const ids = fitting.map(({ id }) => id);
    throw new DatabaseError('UnknownChat', describeAmbiguous(reference, 'chats', ids));
  }
  const known = all.map(({ name }) => name);
  const hint = known.length ? `The latest: ${known.slice(0, 10).join(', ')}.` : 'There are no conversations yet.';
  throw new DatabaseError('UnknownChat', `No chat has the name or id "${reference}". ${hint}`);
}

/** Most recently used first. */
export async function listChats(query: Queryable): Promise<ChatRow[]> {
  return query.select().from(chats).orderBy(desc(chats.lastUsedAt));
}

/** @throws {DatabaseError} `ChatNameUnusable` if the name is invalid or another chat's; {DatabaseError} `UnknownChat`. */
export async function renameChat(database: Database, chatId: string, name: string): Promise<void> {
  expectName(name);
  try {
    await inChat(database, chatId, ({ query }) => query.update(chats).set({ name }).where(eq(chats.id, chatId)));
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
    throw new DatabaseError(
      'ChatNameUnusable',
      `Another chat is called "${name}". Choose another name, or rename that one first.`,
    );
  }
}

/** Sets the model that the chat uses from the next message on; null for the model of its role. */
export async function setChatModel(database: Database, chatId: string, model: string | null): Promise<void> {
  await inChat(database, chatId, ({ query }) => query.update(chats).set({ model }).where(eq(chats.id, chatId)));
}

/** Sets the agent that answers in the chat from the next message on; null for the assistant. */
export async function setChatAgent(database: Database, chatId: string, agent: ChatAgent | null): Promise<void> {
  await inChat(database, chatId, ({ query }) => query.update(chats).set({ agent }).where(eq(chats.id, chatId)));
}

function expectName(name: string): void {
  if (name.trim() === name && name.length > 0 && name.length <= maxNameLength && !/\p{Cc}/u.test(name)) return;
  throw new DatabaseError(
    'ChatNameUnusable',
    `Expected the name of a chat: 1 to ${maxNameLength} characters on one line, without spaces around it. Got ${JSON.stringify(name.slice(0, 100))}.`,
  );
}
