import { and, eq, max } from 'drizzle-orm';
import { maxMessageLength } from '../../domain/chat/messages.ts';
import { dueExtraction } from '../../domain/memory/extraction.ts';
import type { RunAgent } from '../../domain/project/settings.ts';
import type { ExchangeStatus } from '../../domain/project/statuses.ts';
import type { Recollection } from '../../domain/run/message.ts';
import { preview, storableText } from '../../domain/storable-text.ts';
import type { Database } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { chats } from '../schema/chats.ts';
import { exchanges, messages, runs } from '../schema/runs.ts';
import { answerOpenCalls } from '../transcript/answer-open-calls.ts';
import { findRun, insertMessage } from '../transcript/transcript.ts';
import { type ChatTransaction, inChat } from './chat-transaction.ts';
import { type ExchangeRow, findExchange } from './find-exchange.ts';

/**
 * Keeps what a person says; kept again under its id, it is there once.
 * @throws {DatabaseError} `MessageUnusable` where it has no text, or too much; {DatabaseError} `UnknownChat`.
 */
export async function keepExchange(
  database: Database,
  { chatId, id, text }: { chatId: string; id: string; text: string },
): Promise<ExchangeRow> {
  expectMessage(text);
  return inChat(database, chatId, async (transaction) => {
    const earlier = await findExchange(transaction.query, chatId, id);
    return earlier ?? addExchange(transaction, { id, text });
  });
}

/**
 * Adds what a person says to a chat that has no message of the id; `branch` names the branch that begins with it.
 * @throws {DatabaseError} `MessageUnusable`
 */
export async function addExchange(
  { query, chat, log }: ChatTransaction,
  { id, text, branch }: { id: string; text: string; branch?: string },
): Promise<ExchangeRow> {
  expectMessage(text);
  const number = chat.exchangeCount + 1;
  const [row] = await query
    .insert(exchanges)
    .values({ chatId: chat.id, id, number, text: storableText(text), status: 'WAITING' })
    .returning();
  if (!row) throw new Error(`Postgres returned no row for the new message "${id}".`);
  await query.update(chats).set({ exchangeCount: number, lastUsedAt: new Date() }).where(eq(chats.id, chat.id));
  await log({
    type: 'message-received',
    exchange: id,
    number,
    text: preview(text, 400),
    ...(branch && { branch }),
  });
  return row;
}

/** An exchange that is being answered. */
export interface BegunExchange {
  id: string;
  number: number;
  runId: string;
  /** The first one of its answer. */
  turn: number;
}

/** What an exchange begins with; the instructions are used by the first one of its run, and by the assistant if it took over from a custom agent. */
export interface ExchangeStart {
  instructions: string;
  /** Models tried in order, by commas. */
  model: string;
  /** What the run has from now on: made tools, an agent of one's own. */
  given?: { madeTools: string[]; agent: RunAgent | null } | undefined;
  /** The time, as text for the model that is appended to the person's words. */
  moment?: string | undefined;
  /** Recalled memories, appended after it. */
  recalled?: { text: string; recollections: Recollection[]; failure?: string } | undefined;
}

/**
 * Puts the person's message into the transcript, behind what was said before. One that is begun already stays as it is; null where it
 * has ended.
 */
export async function beginExchange(
  database: Database,
  { chatId, id }: { chatId: string; id: string },
  { instructions, model, given, moment, recalled }: ExchangeStart,
): Promise<BegunExchange | null> {
  return inChat(database, chatId, async ({ query, chat, log }) => {
    const exchange = await findExchange(query, chatId, id);
    if (exchange?.status === 'RUNNING') return asBegun(exchange);
    if (exchange?.status !== 'WAITING') return null;
    const runId = chat.headRunId ?? `${chatId}-r1`;
    if (chat.headRunId === null) {
      await query.insert(runs).values({ id: runId, chatId, role: 'chat', model, status: 'RUNNING' });
      await query.update(chats).set({ headRunId: runId }).where(eq(chats.id, chatId));
      await insertMessage(query, { runId, number: 0, turn: 0, role: 'system', content: { text: instructions } });
    }
    const before = chat.headRunId === null ? undefined : await findRun(query, runId);
    // An answer that came after the end of its exchange may ask for tools; without their results no model takes the conversation.
    await answerOpenCalls(query, runId, 'The answer came too late: the call was already closed.');
    const agent = given?.agent ?? (before?.agent ? assistantAgain(instructions) : null);
    const [run] = await query
      .update(runs)
      .set({ model, ...(given && { madeTools: given.madeTools, agent }) })
      .where(eq(runs.id, runId))
      .returning({ turns: runs.turns });
    const [last] = await query
      .select({ number: max(messages.number) })
      .from(messages)
      .where(eq(messages.runId, runId));
    const place = { runId, messageNumber: (last?.number ?? -1) + 1, turn: (run?.turns ?? 0) + 1 };
    const { text } = exchange;
    const ids = recalled?.recollections.map((one) => one.id) ?? [];
    const { recollections = [], failure: recallFailure } = recalled ?? {};
    const behind = [moment, recalled?.text].filter((one) => one !== undefined);
    const content = {
      text: [text, ...behind].join('\n\n'),
      ...(behind.length && { said: text }),
      ...(recalled && { recalled: ids, recollections, ...(recallFailure && { recallFailure }) }),
    };
    await insertMessage(query, { runId, number: place.messageNumber, turn: place.turn, role: 'user', content });
    const begun = { ...exchange, ...place, status: 'RUNNING' as const };
    await query
      .update(exchanges)
      .set({ ...place, status: 'RUNNING' })
      .where(and(eq(exchanges.chatId, chatId), eq(exchanges.id, id)));
    await query.update(chats).set({ lastUsedAt: new Date() }).where(eq(chats.id, chatId));
    await log({
      type: 'answer-began',
      exchange: id,
      run: runId,
      turn: place.turn,
      model,
      recalled: ids.length,
      ...(recallFailure && { recallFailure }),
      ...(before && given && agent && before.agent?.hash !== agent.hash && { changedAgent: agent.name }),
    });
    return asBegun(begun);
  });
}

/**
 * Says how an exchange ended, and with `extract` that it is to be looked for what is worth keeping of it. Calls that were not done get a
 * result that says so, without which no model takes the conversation.
 */
export async function endExchange(
  database: Database,
  {
    chatId,
    id,
    status,
    reason,
    extract = false,
  }: { chatId: string; id: string; status: ExchangeStatus; reason?: string | undefined; extract?: boolean },
): Promise<void> {
  await inChat(database, chatId, async ({ query, chat, log }) => {
    const exchange = await findExchange(query, chatId, id);
    if (!exchange || (exchange.status !== 'RUNNING' && exchange.status !== 'WAITING')) return;
    if (exchange.runId !== null && exchange.turn !== null) {
      await answerOpenCalls(query, exchange.runId, reason ?? status, exchange.turn);
    }
    const isAnswered = status === 'ANSWERED' || status === 'LIMITED';
    const extraction = extract && chat.memory && isAnswered ? dueExtraction : null;
    await query
      .update(exchanges)
      .set({ status, reason: reason ?? null, extraction, endedAt: new Date() })
      .where(and(eq(exchanges.chatId, chatId), eq(exchanges.id, id)));
    await log({ type: 'answer-ended', exchange: id, status, ...(reason && { reason: preview(reason, 400) }) });
  });
}

/** The assistant after a custom agent: these instructions replace those that the run began with. */
function assistantAgain(instructions: string): RunAgent {
  return { name: 'the assistant', hash: 'the assistant', instructions };
}

function asBegun({ id, number, runId, turn }: ExchangeRow): BegunExchange {
  if (runId === null || turn === null)
    throw new Error(`Expected the message "${id}", which is being answered, in a run.`);
  return { id, number, runId, turn };
}

/** @throws {DatabaseError} `MessageUnusable` where it has no text, or too much. */
export function expectMessage(text: string): void {
  if (!text.trim()) throw new DatabaseError('MessageUnusable', 'Expected a message with text, got an empty one.');
  if (text.length <= maxMessageLength) return;
  throw new DatabaseError(
    'MessageUnusable',
    `Expected a message of at most ${maxMessageLength} characters, got ${text.length}. Send a shorter one.`,
  );
}
