import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, inArray, lt, or, type SQL } from 'drizzle-orm';
import type { MessageImage } from '../../domain/chat/images.ts';
import type {
  Conversation,
  ConversationMessage,
  ConversationStore,
  NewConversation,
  NewConversationMessage,
} from '../../domain/stores/conversations.ts';
import type { PurgeSubject } from '../../domain/stores/purge.ts';
import {
  endOf,
  expectConversationId,
  expectConversationName,
  nameTaken,
  placeMessages,
  unknownConversation,
  unknownMessage,
  unusable,
} from '../../domain/stores/rules/message-rules.ts';
import { appendMessages, readBeforeAppend } from '../chats/append-messages.ts';
import { beginBranch } from '../chats/begin-branch.ts';
import { listBranches } from '../chats/branches.ts';
import { type ChatRow, type ChatTransaction, inChat } from '../chats/chat-transaction.ts';
import { renameChat } from '../chats/chats.ts';
import { deleteChatIn } from '../chats/delete-chat.ts';
import { forkChat } from '../chats/fork-chat.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { isAlreadyThere } from '../connection/query-errors.ts';
import { DatabaseError } from '../database-error.ts';
import { chats } from '../schema/chats.ts';
import {
  describeConversation,
  readMessagesAt,
  readOwn,
  readPage,
  readRunsOf,
  toMessage,
} from './conversation-messages.ts';
import { cutOf, expectRest, findAsked, type MessageRow, messageAt } from './conversation-places.ts';

/** What is told of conversations that are deleted: their workflows end before, and what they keep elsewhere goes after. */
export interface ConversationHooks {
  beforeDelete?(ids: string[]): Promise<void>;
  afterDelete?(ids: string[]): Promise<void>;
}

/** The conversations that `longhaul chat` shows and continues. */
export function createConversationStore(database: Database, hooks: ConversationHooks = {}): ConversationStore {
  const find = async (query: Queryable, id: string): Promise<ChatRow> => {
    const [row] = await query.select().from(chats).where(eq(chats.id, id));
    if (!row) throw unknownConversation(id);
    return row;
  };
  const deleteAll = async (ids: string[]): Promise<string[]> => {
    if (!ids.length) return [];
    await hooks.beforeDelete?.(ids);
    const deleted = await database.transaction(async (query) => {
      const gone: string[] = [];
      for (const id of ids) if (await deleteChatIn(query, id)) gone.push(id);
      return gone;
    });
    await hooks.afterDelete?.(deleted);
    return deleted;
  };

  /** The work in one transaction with the conversation locked and at rest. */
  function atRest<Result>(id: string, work: (transaction: ChatTransaction) => Promise<Result>): Promise<Result> {
    return inConversation(id, async (transaction) => {
      await expectRest(transaction);
      return work(transaction);
    });
  }

  function inConversation<Result>(
    id: string,
    work: (transaction: ChatTransaction) => Promise<Result>,
  ): Promise<Result> {
    return inChat(database, id, work).catch((error: unknown) => {
      throw error instanceof DatabaseError && error.code === 'UnknownChat' ? unknownConversation(id) : error;
    });
  }

  async function sayInstead(
    transaction: ChatTransaction,
    asked: MessageRow,
    said: { text: string; images: MessageImage[] },
  ): Promise<ConversationMessage> {
    placeMessages(endOf([], 0), [{ role: 'user', text: said.text }], { isEmpty: false });
    const chat = await beginBranch(transaction, asked);
    const added: NewConversationMessage[] = [{ role: 'user', text: said.text }];
    const now = { ...transaction, chat };
    const [message] = await appendMessages(now, await readBeforeAppend(now, added), added, said.images);
    if (!message) throw unknownMessage(asked.number);
    return toMessage(message);
  }

  return {
    create: (given) => create(database, given),
    get: async (id) => toConversation(await find(database, id)),
    async list({ person, projectId, before, limit } = {}) {
      const meant = database
        .select()
        .from(chats)
        .where(
          and(
            person === undefined ? undefined : eq(chats.person, person),
            projectId === undefined ? undefined : eq(chats.projectId, projectId),
            before && lt(chats.lastUsedAt, before),
          ),
        )
        .orderBy(desc(chats.lastUsedAt), desc(chats.createdAt));
      return (await (limit === undefined ? meant : meant.limit(limit))).map(toConversation);
    },
    async rename(id, name) {
      expectConversationName(name);
      try {
        await renameChat(database, id, name);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        throw error.code === 'UnknownChat' ? unknownConversation(id) : nameTaken(name);
      }
      return toConversation(await find(database, id));
    },
    delete: async (id) => (await deleteAll([id])).length > 0,
    async append(id, ...added) {
      return inConversation(id, async (transaction) => {
        const [{ known, ...before }] = await Promise.all([
          readBeforeAppend(transaction, added),
          expectRest(transaction),
        ]);
        if (known) return readMessagesAt(transaction.query, known.runId, known.numbers);
        return added.length ? (await appendMessages(transaction, before, added)).map(toMessage) : [];
      });
    },
    async messages(id, page) {
      return readPage(database, await find(database, id), page);
    },
    async branches(id) {
      const all = await listBranches(database, await find(database, id));
      return all.map(({ name, continues, current, createdAt }) => ({ name, continues, current, createdAt }));
    },
    branch: (id, after) =>
      atRest(id, async (transaction) => {
        const cut = await cutOf(transaction.query, transaction.chat, after);
        return toConversation(await beginBranch(transaction, cut));
      }),
    edit: (id, number, text) =>
      atRest(id, async (transaction) => {
        const message = await messageAt(transaction.query, transaction.chat, number);
        if (message.role !== 'user') throw unusable(`Message ${number} is not a person's, so it cannot be edited.`);
        return sayInstead(transaction, message, { text, images: [] });
      }),
    regenerate: (id, number) =>
      atRest(id, async (transaction) => {
        const { query, chat } = transaction;
        const message = await messageAt(query, chat, number);
        const asked = await findAsked(query, message);
        if (message.role === 'system' || !asked)
          throw unusable(`Message ${number} has no message before it to answer.`);
        const { said, text, images = [] } = asked.content;
        return sayInstead(transaction, asked, { text: said ?? text, images });
      }),
    fork: (id, given) => fork(id, given),
    async purge(subject, { dryRun = false } = {}) {
      const meant = await database.select().from(chats).where(isMeant(subject));
      const removed = await Promise.all(meant.map((chat) => describeConversation(database, chat)));
      if (dryRun) return removed;
      const gone = await deleteAll(meant.map(({ id }) => id));
      return removed.filter(({ id }) => gone.includes(id));
    },
    async *export(owner) {
      for (const chat of await database
        .select()
        .from(chats)
        .where(owner && isMeant(owner))
        .orderBy(asc(chats.createdAt))) {
        yield { store: 'conversations', kind: 'conversation', row: toConversation(chat) };
        for (const run of await readRunsOf(database, chat.id)) {
          const branch = run.id.startsWith(`${chat.id}-`) ? run.id.slice(chat.id.length + 1) : run.id;
          for await (const message of readOwn(database, run))
            yield { store: 'conversations', kind: 'message', row: { conversationId: chat.id, branch, ...message } };
        }
      }
    },
  };

  async function fork(
    id: string,
    {
      after,
      id: forkId = `chat-${randomUUID()}`,
      name = forkId,
    }: NonNullable<Parameters<ConversationStore['fork']>[1]> = {},
  ): Promise<Conversation> {
    expectConversationId(forkId);
    expectConversationName(name);
    const [known] = await database.select().from(chats).where(eq(chats.id, forkId));
    if (known) return toConversation(known);
    const cut = await atRest(id, async ({ query, chat }) => {
      if (chat.headRunId === null) throw unusable('The conversation has no messages yet, so there is nothing to fork.');
      return after === undefined ? undefined : cutOf(query, chat, after);
    });
    try {
      return toConversation(await forkChat(database, id, { id: forkId, name, cut }));
    } catch (error) {
      throw error instanceof DatabaseError && error.code === 'ChatNameUnusable' ? nameTaken(name) : error;
    }
  }
}

async function create(
  database: Database,
  { id = `chat-${randomUUID()}`, name = id, person, projectId }: NewConversation = {},
): Promise<Conversation> {
  expectConversationId(id);
  expectConversationName(name);
  const findIt = async () => (await database.select().from(chats).where(eq(chats.id, id)))[0];
  const known = await findIt();
  if (known) return toConversation(known);
  try {
    const [row] = await database.insert(chats).values({ id, name, person, projectId }).returning();
    return toConversation(row as ChatRow);
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
    const made = await findIt(); // by another process at the same moment
    if (made) return toConversation(made);
    throw nameTaken(name);
  }
}

function isMeant(subject: PurgeSubject): SQL | undefined {
  if ('before' in subject) return lt(chats.lastUsedAt, subject.before);
  const own = 'person' in subject ? eq(chats.person, subject.person) : eq(chats.projectId, subject.project);
  return subject.sessions?.length ? or(own, inArray(chats.id, subject.sessions)) : own;
}

function toConversation(row: ChatRow): Conversation {
  const { id, name, person, projectId, parentId, headRunId, createdAt, lastUsedAt } = row;
  const branch = headRunId === null ? null : headRunId.slice(id.length + 1);
  return { id, name, person, projectId, parentId, branch, createdAt, lastUsedAt };
}
