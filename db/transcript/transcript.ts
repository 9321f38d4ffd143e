import { type AnyColumn, and, asc, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { messages, runs, usage } from '../schema/runs.ts';
import { storableText } from '../storable-text.ts';
import type { Message, MessageContent, MessageRole } from './message.ts';

export type RunRow = typeof runs.$inferSelect;

export async function findRun(query: Queryable, runId: string): Promise<RunRow | undefined> {
  const [row] = await query.select().from(runs).where(eq(runs.id, runId));
  return row;
}

export async function readRuns(query: Queryable, projectId: string): Promise<RunRow[]> {
  return query.select().from(runs).where(eq(runs.projectId, projectId)).orderBy(asc(runs.startedAt));
}

/** What the provider counted with the run's latest answer; undefined before the first. */
export async function readLatestUsage(
  query: Queryable,
  runId: string,
): Promise<{ turn: number; tokens: number } | undefined> {
  const [row] = await query
    .select()
    .from(usage)
    .where(and(eq(usage.runId, runId), isAnswer))
    .orderBy(desc(usage.turn))
    .limit(1);
  return row && { turn: row.turn, tokens: row.inputTokens + row.outputTokens };
}

/** All messages of a run in order. */
export async function readMessages(query: Queryable, runId: string): Promise<Message[]> {
  return query.select().from(messages).where(eq(messages.runId, runId)).orderBy(asc(messages.number));
}

/** The model's answer of a turn; undefined while there is none. */
export async function findAnswer(query: Queryable, runId: string, turn: number): Promise<Message | undefined> {
  const [row] = await query
    .select()
    .from(messages)
    .where(and(eq(messages.runId, runId), eq(messages.turn, turn), eq(messages.role, 'assistant')));
  return row;
}

/** Messages of a run by their numbers, in the order asked for; undefined where one is not written. */
export async function readMessagesAt(
  query: Queryable,
  runId: string,
  numbers: number[],
): Promise<Array<Message | undefined>> {
  const rows: Message[] = await query
    .select()
    .from(messages)
    .where(and(eq(messages.runId, runId), inArray(messages.number, numbers)));
  return numbers.map((number) => rows.find((row) => row.number === number));
}

export interface NewMessage {
  runId: string;
  number: number;
  turn: number;
  role: MessageRole;
  content: MessageContent;
}

/** Adds one message; where its number is taken, Postgres refuses it (`isAlreadyThere`). */
export async function addMessage(query: Queryable, message: NewMessage): Promise<void> {
  await insertMessage(query, message);
}

/** The statement of `addMessage`. */
export function insertMessage(query: Queryable, message: NewMessage) {
  return query.insert(messages).values({ ...message, content: storable(message.content) });
}

/** Adds one message unless its number is taken, which means that an earlier attempt wrote it. */
export async function writeMessage(query: Queryable, message: NewMessage): Promise<void> {
  await query
    .insert(messages)
    .values({ ...message, content: storable(message.content) })
    .onConflictDoNothing();
}

function storable(content: MessageContent): MessageContent {
  return {
    ...content,
    text: storableText(content.text),
    ...(content.toolCalls && {
      toolCalls: content.toolCalls.map((call) => ({
        id: storableText(call.id),
        name: storableText(call.name),
        arguments: storableText(call.arguments),
      })),
    }),
  };
}

/** Of a call that answered its turn, rather than summarized what was before. */
export const isAnswer = eq(usage.summaryUpTo, -1);

export type UsageRow = typeof usage.$inferSelect;

/** What each call of a run used, in order. */
export async function readUsage(query: Queryable, runId: string): Promise<UsageRow[]> {
  return query.select().from(usage).where(eq(usage.runId, runId)).orderBy(asc(usage.turn), desc(usage.summaryUpTo));
}

/** Input and output of the call that answered a turn. */
export async function readTokensOfTurn(query: Queryable, runId: string, turn: number): Promise<number> {
  const [row] = await query
    .select()
    .from(usage)
    .where(and(eq(usage.runId, runId), eq(usage.turn, turn), isAnswer));
  return row ? row.inputTokens + row.outputTokens : 0;
}

export interface UsageSum {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Answers; a summary is none. */
  turns: number;
  /** US dollars of the calls whose model has a price. */
  costUsd: number;
  /** Calls whose model has none. */
  unpricedTurns: number;
}

/** What runs used, summed: of one run, of a topmost run with all below it, of one session, one project or one chat. */
export async function sumUsage(
  query: Queryable,
  of: { runId: string } | { rootId: string } | { sessionId: string } | { projectId: string } | { chatId: string },
): Promise<UsageSum> {
  const sum = (column: AnyColumn) => sql<number>`coalesce(sum(${column}), 0)::float8`;
  const [row] = await query
    .select({
      inputTokens: sum(usage.inputTokens),
      cachedTokens: sum(usage.cachedTokens),
      outputTokens: sum(usage.outputTokens),
      reasoningTokens: sum(usage.reasoningTokens),
      turns: sql<number>`(count(*) filter (where ${isAnswer}))::int`,
      costUsd: sum(usage.costUsd),
      unpricedTurns: sql<number>`(count(${usage.turn}) - count(${usage.costUsd}))::int`,
    })
    .from(usage)
    .innerJoin(runs, eq(runs.id, usage.runId))
    .where(isOf(of));
  if (!row) throw new Error('Expected Postgres to answer a sum with one row.');
  return row;
}

function isOf(of: Parameters<typeof sumUsage>[1]): SQL | undefined {
  if ('runId' in of) return eq(runs.id, of.runId);
  if ('rootId' in of) return or(eq(runs.id, of.rootId), eq(runs.rootId, of.rootId));
  if ('sessionId' in of) return eq(runs.sessionId, of.sessionId);
  return 'chatId' in of ? eq(runs.chatId, of.chatId) : eq(runs.projectId, of.projectId);
}
