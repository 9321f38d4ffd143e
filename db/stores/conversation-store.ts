import { randomUUID } from 'node:crypto';
import { and, asc, count, desc, eq, gt, inArray, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { MessageImage } from '../../domain/chat/images.ts';
import type {
  Conversation,
  ConversationMessage,
  ConversationStore,
  MessagePage,
  NewConversation,
  NewConversationMessage,
} from '../../domain/stores/conversations.ts';
import {
  type Cut,
  cutAfter,
  endOf,
  expectConversationId,
  expectConversationName,
  nameTaken,
  placeMessages,
  unknownConversation,
  unknownMessage,
  unusable,
} from '../../domain/stores/message-rules.ts';
import type { Owner, PurgeSubject, Removed } from '../../domain/stores/purge.ts';
import { StoreError } from '../../domain/stores/store-error.ts';
import { type AppendedMessage, appendMessages, readBeforeAppend } from '../chats/append-messages.ts';
import { beginBranch } from '../chats/begin-branch.ts';
import { listBranches } from '../chats/branches.ts';
import { type ChatRow, type ChatTransaction, inChat } from '../chats/chat-transaction.ts';
import { renameChat } from '../chats/chats.ts';
import { deleteChatIn } from '../chats/delete-chat.ts';
import { isOpen } from '../chats/find-exchange.ts';
import { forkChat } from '../chats/fork-chat.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { isAlreadyThere } from '../connection/query-errors.ts';
import { DatabaseError } from '../database-error.ts';
import { chats } from '../schema/chats.ts';
import { exchanges, messages, runs, toolCalls } from '../schema/runs.ts';

/** What is told of conversations that are deleted: their workflows end before, and what they keep elsewhere goes after. */
export interface ConversationHooks {
  beforeDelete?(ids: string[]): Promise<void>;
  afterDelete?(ids: string[]): Promise<void>;
}

const rowsOfPage = 500;

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
        if (message.role === 'system' || !asked) throw unusable(`Message ${number} answers nobody.`);
        const { said, text, images = [] } = asked.content;
        return sayInstead(transaction, asked, { text: said ?? text, images });
      }),
    fork: (id, given) => fork(id, given),
    async purge(subject, { dryRun = false } = {}) {
      const meant = await database.select().from(chats).where(isMeant(subject));
      const removed = await Promise.all(meant.map((chat) => describe(database, chat)));
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

async function expectRest({ query, chat }: ChatTransaction): Promise<void> {
  const [open] = await query
    .select({ id: exchanges.id })
    .from(exchanges)
    .where(and(eq(exchanges.chatId, chat.id), isOpen))
    .limit(1);
  if (!open) return;
  throw new StoreError(
    'ConversationBusy',
    `A message of "${chat.name}" is being answered. Wait for the answer, or stop it, and try again.`,
  );
}

type MessageRow = typeof messages.$inferSelect;

async function messageAt(query: Queryable, { headRunId }: ChatRow, number: number): Promise<MessageRow> {
  const isAt = and(eq(messages.runId, headRunId ?? ''), eq(messages.number, number), isNoNote);
  const [row] = Number.isSafeInteger(number) ? await query.select().from(messages).where(isAt) : [];
  if (!row) throw unknownMessage(number);
  return row;
}

/** The person's message that a message answers, or the message itself. */
async function findAsked(query: Queryable, { runId, number }: MessageRow): Promise<MessageRow | undefined> {
  const isBefore = and(eq(messages.runId, runId), lte(messages.number, number), eq(messages.role, 'user'), isNoNote);
  const [row] = await query.select().from(messages).where(isBefore).orderBy(desc(messages.number)).limit(1);
  return row;
}

async function cutOf(query: Queryable, chat: ChatRow, after: number): Promise<Cut> {
  const message = await messageAt(query, chat, after);
  const [asked] = await query
    .select()
    .from(messages)
    .where(and(eq(messages.runId, message.runId), lte(messages.number, after), ne(messages.role, 'tool')))
    .orderBy(desc(messages.number))
    .limit(1);
  return cutAfter(message, asked ? { number: asked.number, calls: asked.content.toolCalls?.length ?? 0 } : null);
}

/** Longhaul's own notes to its models are no messages of the conversation. */
const isNoNote = sql`not ${messages.content} ? 'isNote'`;

/**
 * Whether a tool's result says that the call failed; a call that was left undone has a result but no row. Columns are written out: drizzle leaves
 * their table out of a selection.
 */
const failed = sql<boolean | null>`case when ${messages}.role = 'tool' then coalesce((
  select call.failed from ${toolCalls} call
  where call.run_id = ${messages}.run_id and call.turn = ${messages}.turn and call.position = ${messages}.number - 1 - (
    select asked.number from ${messages} asked
    where asked.run_id = ${messages}.run_id and asked.number < ${messages}.number and asked.role = 'assistant'
    order by asked.number desc limit 1)), true) end`;

const fields = {
  ...{ number: messages.number, role: messages.role, content: messages.content, createdAt: messages.createdAt },
  failed,
};

async function readMessagesAt(query: Queryable, runId: string, numbers: number[]): Promise<ConversationMessage[]> {
  const rows = await query
    .select(fields)
    .from(messages)
    .where(and(eq(messages.runId, runId), inArray(messages.number, numbers)));
  return numbers.flatMap((number) => rows.filter((row) => row.number === number).map(toMessage));
}

async function readPage(
  query: Queryable,
  chat: ChatRow,
  { before, after, limit = 100, branch }: MessagePage = {},
): Promise<ConversationMessage[]> {
  const runId = branch === undefined ? chat.headRunId : `${chat.id}-${branch}`;
  if (branch !== undefined) await expectBranch(query, chat, branch);
  const isMeant = and(
    eq(messages.runId, runId ?? ''),
    before === undefined ? undefined : lt(messages.number, before),
    after === undefined ? undefined : gt(messages.number, after),
    isNoNote,
  );
  const inOrder = after === undefined ? desc(messages.number) : asc(messages.number);
  const rows = await query.select(fields).from(messages).where(isMeant).orderBy(inOrder).limit(limit);
  return (after === undefined ? rows.reverse() : rows).map(toMessage);
}

async function expectBranch(query: Queryable, chat: ChatRow, name: string): Promise<void> {
  const names = (await listBranches(query, chat)).map((branch) => branch.name);
  if (!names.includes(name))
    throw unusable(`The conversation has no branch "${name}". It has: ${names.join(', ') || 'none yet'}.`);
}

/** The runs of its branches and of those that they delegated to. */
function readRunsOf(query: Queryable, chatId: string) {
  return query
    .select({ id: runs.id, from: sql<number>`coalesce(${runs.continuesBefore}, 0)` })
    .from(runs)
    .where(eq(runs.chatId, chatId))
    .orderBy(asc(runs.startedAt), asc(runs.id));
}

/** The messages of a run that are not copies of another branch's. */
async function* readOwn(
  query: Queryable,
  { id, from }: { id: string; from: number },
): AsyncIterable<ConversationMessage> {
  for (let after = from - 1; ; ) {
    const isNext = and(eq(messages.runId, id), gt(messages.number, after));
    const rows = await query
      .select(fields)
      .from(messages)
      .where(isNext)
      .orderBy(asc(messages.number))
      .limit(rowsOfPage);
    for (const row of rows) if (!row.content.isNote) yield toMessage(row);
    const last = rows.at(-1);
    if (!last || rows.length < rowsOfPage) return;
    after = last.number;
  }
}

async function describe(query: Queryable, { id, name }: ChatRow): Promise<Removed> {
  const isOwn = or(isNull(runs.continuesBefore), sql`${messages.number} >= ${runs.continuesBefore}`);
  const [row] = await query
    .select({ rows: count() })
    .from(messages)
    .innerJoin(runs, eq(runs.id, messages.runId))
    .where(and(eq(runs.chatId, id), isOwn, isNoNote));
  return { store: 'conversations', kind: 'conversation', id, what: name, rows: row?.rows ?? 0 };
}

function isMeant(subject: PurgeSubject | Owner): SQL | undefined {
  if ('before' in subject) return lt(chats.lastUsedAt, subject.before);
  const own = 'person' in subject ? eq(chats.person, subject.person) : eq(chats.projectId, subject.project);
  return subject.sessions?.length ? or(own, inArray(chats.id, subject.sessions)) : own;
}

function toConversation(row: ChatRow): Conversation {
  const { id, name, person, projectId, parentId, headRunId, createdAt, lastUsedAt } = row;
  const branch = headRunId === null ? null : headRunId.slice(id.length + 1);
  return { id, name, person, projectId, parentId, branch, createdAt, lastUsedAt };
}

function toMessage({ number, role, content, createdAt, failed }: AppendedMessage): ConversationMessage {
  const { id = null, said, text, toolCalls: calls = [], toolCallId = null } = content;
  return { number, id, role, text: said ?? text, toolCalls: calls, toolCallId, failed, createdAt };
}
