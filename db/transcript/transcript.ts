import { type AnyColumn, and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { UnknownRunError } from '../errors.ts';
import { messages, projects, runs, usage } from '../schema.ts';
import type { Budgets } from '../shapes.ts';
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

export interface Conversation {
  /** Models tried in order, by commas. */
  model: string;
  /** Of the project. */
  budgets: Budgets | null;
  /** The project is paused. */
  paused: boolean;
  /** The number of the last message whose tool output is shown shortened. */
  shortenedUpTo: number;
  messages: Message[];
}

/** What the provider counted with the run's latest answer; undefined before the first. */
export async function readLatestUsage(
  query: Queryable,
  runId: string,
): Promise<{ turn: number; tokens: number } | undefined> {
  const [row] = await query.select().from(usage).where(eq(usage.runId, runId)).orderBy(desc(usage.turn)).limit(1);
  return row && { turn: row.turn, tokens: row.inputTokens + row.outputTokens };
}

/**
 * What the model is asked with: its name, the project's budgets, whether it is paused, and all messages so far, in one look.
 * @throws {UnknownRunError} where no run has the id.
 */
export async function readConversation(query: Queryable, runId: string): Promise<Conversation> {
  const { number, turn, role, content } = messages;
  const rows = await query
    .select({
      model: runs.model,
      shortenedUpTo: runs.shortenedUpTo,
      budgets: sql<Budgets | null>`${projects.settings}->'budgets'`,
      status: projects.status,
      message: { number, turn, role, content },
    })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .leftJoin(messages, eq(messages.runId, runs.id))
    .where(eq(runs.id, runId))
    .orderBy(asc(number));
  const [first] = rows;
  if (!first) throw new UnknownRunError(`No run has the id "${runId}". \`longhaul sessions <project>\` lists runs.`);
  const { model, budgets, status, shortenedUpTo } = first;
  const paused = status === 'PAUSED';
  return { model, budgets, paused, shortenedUpTo, messages: rows.flatMap(({ message }) => message ?? []) };
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
  await query.insert(messages).values({ ...message, content: storable(message.content) });
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

export type UsageRow = typeof usage.$inferSelect;

/** What each call of a run used, in order. */
export async function readUsage(query: Queryable, runId: string): Promise<UsageRow[]> {
  return query.select().from(usage).where(eq(usage.runId, runId)).orderBy(asc(usage.turn));
}

export interface UsageSum {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  turns: number;
  /** US dollars of the turns whose model has a price. */
  costUsd: number;
  /** Turns whose model has none. */
  unpricedTurns: number;
}

/** What runs used, summed: of one run, one session or one project. */
export async function sumUsage(
  query: Queryable,
  of: { runId: string } | { sessionId: string } | { projectId: string },
): Promise<UsageSum> {
  const condition =
    'runId' in of
      ? eq(runs.id, of.runId)
      : 'sessionId' in of
        ? eq(runs.sessionId, of.sessionId)
        : eq(runs.projectId, of.projectId);
  const sum = (column: AnyColumn) => sql<number>`coalesce(sum(${column}), 0)::float8`;
  const [row] = await query
    .select({
      inputTokens: sum(usage.inputTokens),
      cachedTokens: sum(usage.cachedTokens),
      outputTokens: sum(usage.outputTokens),
      reasoningTokens: sum(usage.reasoningTokens),
      turns: sql<number>`count(${usage.turn})::int`,
      costUsd: sum(usage.costUsd),
      unpricedTurns: sql<number>`(count(${usage.turn}) - count(${usage.costUsd}))::int`,
    })
    .from(usage)
    .innerJoin(runs, eq(runs.id, usage.runId))
    .where(condition);
  if (!row) throw new Error('Expected Postgres to answer a sum with one row.');
  return row;
}
