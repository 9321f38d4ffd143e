import { and, eq, max } from 'drizzle-orm';
import type { MessageImage, StoredImage } from '../../domain/chat/images.ts';
import { maxMessageLength } from '../../domain/chat/messages.ts';
import { dueExtraction } from '../../domain/memory/extraction.ts';
import type { RunAgent } from '../../domain/project/settings.ts';
import type { ExchangeStatus } from '../../domain/project/statuses.ts';
import type { Recollection } from '../../domain/run/message.ts';
import { preview, storableText } from '../../domain/storable-text.ts';
import type { Database } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { dropImages, storeImages } from '../files/images.ts';
import { chats } from '../schema/chats.ts';
import { exchanges, messages, runs } from '../schema/runs.ts';
import { answerOpenCalls } from '../transcript/answer-open-calls.ts';
import { findRun, insertMessage, writeMessage } from '../transcript/transcript.ts';
import { type ChatTransaction, inChat } from './chat-transaction.ts';
import { type ExchangeRow, findExchange } from './find-exchange.ts';

/**
 * Stores a person's message; storing it again under the same id has no effect.
 * @throws {DatabaseError} `MessageUnusable` if it is empty or too long; {DatabaseError} `UnknownChat`.
 */
export async function keepExchange(
  database: Database,
  { chatId, id, text, images }: { chatId: string; id: string; text: string; images?: StoredImage[] | undefined },
): Promise<ExchangeRow> {
  expectMessage(text);
  return inChat(database, chatId, async (transaction) => {
    const earlier = await findExchange(transaction.query, chatId, id);
    if (earlier) return earlier;
    const stored = await storeImages(transaction.query, chatId, images ?? []);
    return addExchange(transaction, { id, text, images: stored });
  });
}

/**
 * Adds a person's message to a chat that has no message with this id; `branch` names the branch that begins with it.
 * @throws {DatabaseError} `MessageUnusable` if it is empty or too long.
 */
export async function addExchange(
  { query, chat, log }: ChatTransaction,
  { id, text, branch, images = [] }: { id: string; text: string; branch?: string; images?: MessageImage[] },
): Promise<ExchangeRow> {
  expectMessage(text);
  const number = chat.exchangeCount + 1;
  const [row] = await query
    .insert(exchanges)
    .values({
      chatId: chat.id,
      id,
      number,
      text: storableText(text),
      images: images.length ? images : null,
      status: 'WAITING',
    })
    .returning();
  if (!row) throw new Error(`Postgres returned no row for the new message "${id}".`);
  await query.update(chats).set({ exchangeCount: number, lastUsedAt: new Date() }).where(eq(chats.id, chat.id));
  await log({
    type: 'message.received',
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
  /** The first turn of its answer. */
  turn: number;
}

/** What an exchange begins with. The instructions apply to the first exchange of a run, and when the assistant takes over from a custom agent. */
export interface ExchangeStart {
  instructions: string;
  /** Comma-separated models, tried in order. */
  model: string;
  /** The run's made tools and custom agent from now on. */
  given?: { madeTools: string[]; agent: RunAgent | null } | undefined;
  /** The time, as text for the model; appended to the person's message. */
  moment?: string | undefined;
  /** Recalled memories, appended after the time. */
  recalled?: { text: string; recollections: Recollection[]; failure?: string } | undefined;
}

/**
 * Appends the person's message to the transcript. An exchange that has already begun stays as it is; null if it has ended.
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
    // A conversation that a program began has no instructions until its first message is answered here.
    else await writeMessage(query, { runId, number: 0, turn: 0, role: 'system', content: { text: instructions } });
    const before = chat.headRunId === null ? undefined : await findRun(query, runId);
    // An answer that came after its exchange ended may have tool calls. No model accepts a conversation without their results.
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
    const { text, images } = exchange;
    const ids = recalled?.recollections.map((one) => one.id) ?? [];
    const { recollections = [], failure: recallFailure } = recalled ?? {};
    const behind = [moment, recalled?.text].filter((one) => one !== undefined);
    const content = {
      text: [text, ...behind].join('\n\n'),
      ...(behind.length && { said: text }),
      ...(images && { images }),
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
      type: 'answer.started',
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
 * Records how an exchange ended; with `extract`, memories will be extracted from it. Calls that were not executed get a result that says so, since no
 * model accepts a conversation without one.
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
      if (status === 'FAILED' && exchange.images && exchange.messageNumber !== null)
        await dropImages(query, exchange.runId, exchange.messageNumber);
    }
    const isAnswered = status === 'ANSWERED' || status === 'LIMITED';
    const extraction = extract && chat.memory && isAnswered ? dueExtraction : null;
    await query
      .update(exchanges)
      .set({ status, reason: reason ?? null, extraction, endedAt: new Date() })
      .where(and(eq(exchanges.chatId, chatId), eq(exchanges.id, id)));
    await log({ type: 'answer.ended', exchange: id, status, ...(reason && { reason: preview(reason, 400) }) });
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

/** @throws {DatabaseError} `MessageUnusable` if it is empty or too long. */
export function expectMessage(text: string): void {
  if (!text.trim()) throw new DatabaseError('MessageUnusable', 'Expected a message with text, got an empty one.');
  if (text.length <= maxMessageLength) return;
  throw new DatabaseError(
    'MessageUnusable',
    `Expected a message of at most ${maxMessageLength} characters, got ${text.length}. Send a shorter one.`,
  );
}
