import { and, asc, count, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { ConversationMessage, MessagePage } from '../../domain/stores/conversations.ts';
import type { Removed } from '../../domain/stores/purge.ts';
import { unusable } from '../../domain/stores/rules/message-rules.ts';
import type { AppendedMessage } from '../chats/append-messages.ts';
import { listBranches } from '../chats/branches.ts';
import type { ChatRow } from '../chats/chat-transaction.ts';
import type { Queryable } from '../connection/database.ts';
import { messages, runs, toolCalls } from '../schema/runs.ts';

const rowsOfPage = 500;

/** Longhaul's own notes to its models are no messages of the conversation. */
export const isNoNote = sql`not ${messages.content} ? 'isNote'`;

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

export async function readMessagesAt(
  query: Queryable,
  runId: string,
  numbers: number[],
): Promise<ConversationMessage[]> {
  const rows = await query
    .select(fields)
    .from(messages)
    .where(and(eq(messages.runId, runId), inArray(messages.number, numbers)));
  return numbers.flatMap((number) => rows.filter((row) => row.number === number).map(toMessage));
}

export async function readPage(
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
export function readRunsOf(query: Queryable, chatId: string) {
  return query
    .select({ id: runs.id, from: sql<number>`coalesce(${runs.continuesBefore}, 0)` })
    .from(runs)
    .where(eq(runs.chatId, chatId))
    .orderBy(asc(runs.startedAt), asc(runs.id));
}

/** The messages of a run that are not copies of another branch's. */
export async function* readOwn(
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

export async function describeConversation(query: Queryable, { id, name }: ChatRow): Promise<Removed> {
  const isOwn = or(isNull(runs.continuesBefore), sql`${messages.number} >= ${runs.continuesBefore}`);
  const [row] = await query
    .select({ rows: count() })
    .from(messages)
    .innerJoin(runs, eq(runs.id, messages.runId))
    .where(and(eq(runs.chatId, id), isOwn, isNoNote));
  return { store: 'conversations', kind: 'conversation', id, what: name, rows: row?.rows ?? 0 };
}

export function toMessage({ number, role, content, createdAt, failed }: AppendedMessage): ConversationMessage {
  const { id = null, said, text, toolCalls: calls = [], toolCallId = null } = content;
  return { number, id, role, text: said ?? text, toolCalls: calls, toolCallId, failed, createdAt };
}
