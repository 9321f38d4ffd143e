import { and, asc, desc, eq, gt, gte, inArray, lt, min, ne, not, sql } from 'drizzle-orm';
import type { Kept, MemoryExtraction } from '../../domain/memory/extraction.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { exchanges, messages, runs } from '../schema/runs.ts';
import { wholeAnswers } from '../transcript/whole-answers.ts';
import { insertCall, type NewCall } from '../usage/add-call.ts';
import { isExchangeIn, readBranchRanges } from './branch-ranges.ts';
import { inChat } from './chat-transaction.ts';
import { findExchange } from './find-exchange.ts';

/** A turn that is due for extraction. */
export interface DueTurn {
  chatId: string;
  exchangeId: string;
  runId: string;
  turn: number;
  messageNumber: number;
  /** The models that answered it: comma-separated, tried in order. */
  model: string;
  createdAt: Date;
  extraction: MemoryExtraction;
}

/** Pieces of one answer: one that breaks off is continued at most three times. */
const maxPieces = 4;

/** Must match the condition of its index. */
const isDue = sql`${exchanges.extraction}->>'status' in ('DUE', 'ASKED')`;

/** The first turn of a chat that is due for extraction. */
export async function findDueTurn(query: Queryable, chatId: string): Promise<DueTurn | undefined> {
  const [row] = await query
    .select({ exchange: exchanges, model: runs.model })
    .from(exchanges)
    .innerJoin(runs, eq(runs.id, exchanges.runId))
    .where(and(eq(exchanges.chatId, chatId), isDue))
    .orderBy(asc(exchanges.number))
    .limit(1);
  if (!row) return undefined;
  const { id: exchangeId, runId, turn, messageNumber, createdAt, extraction } = row.exchange;
  if (runId === null || turn === null || messageNumber === null || extraction === null)
    throw new Error(`Expected the message "${exchangeId}", which was answered, in a run.`);
  return { chatId, exchangeId, runId, turn, messageNumber, model: row.model, createdAt, extraction };
}

/** What the person and the agent said in a turn, and the last two messages before it. */
export async function readWordsOfTurn(query: Queryable, { runId, messageNumber }: DueTurn) {
  const { role, content, number } = messages;
  const words = and(eq(messages.runId, runId), inArray(role, ['user', 'assistant']), ne(sql`${content}->>'text'`, ''));
  const [next] = await query
    .select({ number: min(exchanges.messageNumber) })
    .from(exchanges)
    .where(and(eq(exchanges.runId, runId), gt(exchanges.messageNumber, messageNumber)));
  const end = next?.number == null ? undefined : lt(number, next.number);
  const [said, before] = await Promise.all([
    query
      .select({ number, role, content })
      .from(messages)
      .where(and(words, gte(number, messageNumber), end))
      .orderBy(asc(number)),
    query
      .select({ number, role, content })
      .from(messages)
      .where(and(words, lt(number, messageNumber)))
      .orderBy(desc(number))
      .limit(2 * maxPieces),
  ]);
  return { said: wholeAnswers(said), before: wholeAnswers(before.reverse()).slice(-2) };
}

/**
 * Stores the model's answer along with its call; if another attempt has already stored an answer at its place, only the call. Returns false if the
 * answer is no longer wanted, because the chat has left the turn for another branch meanwhile.
 */
export async function keepFoundAnswer(
  database: Database,
  { chatId, exchangeId }: Pick<DueTurn, 'chatId' | 'exchangeId'>,
  place: number,
  answer: MemoryExtraction['answers'][number],
  call: NewCall,
): Promise<boolean> {
  return inChat(database, chatId, async ({ query }) => {
    const current = (await findExchange(query, chatId, exchangeId))?.extraction;
    const isWanted = current?.answers.length === place;
    await insertCall(query, isWanted ? call : { ...call, outcome: 'UNUSED' });
    if (!isWanted) return current != null;
    await setExtraction(query, chatId, exchangeId, {
      ...current,
      status: 'ASKED',
      answers: [...current.answers, answer],
    });
    return true;
  });
}

/** Records what was kept of a turn, or why nothing was. */
export async function endExtraction(
  database: Database,
  { chatId, exchangeId }: Pick<DueTurn, 'chatId' | 'exchangeId'>,
  outcome: { kept: Kept[] } | { reason: string },
): Promise<void> {
  await inChat(database, chatId, async ({ query, log }) => {
    const current = (await findExchange(query, chatId, exchangeId))?.extraction;
    if (current?.status !== 'DUE' && current?.status !== 'ASKED') return;
    const [kept, reason] = 'kept' in outcome ? [outcome.kept, null] : [[], preview(outcome.reason, 400)];
    const status = reason === null ? 'DONE' : 'FAILED';
    await setExtraction(query, chatId, exchangeId, { ...current, status, kept, reason });
    const added = kept.filter((one) => one.outcome === 'added').length;
    await log({
      type: 'memories.extracted',
      exchange: exchangeId,
      kept: added,
      ...(reason !== null && { reason }),
    });
  });
}

/** Cancels the pending extraction of turns outside the branch that the chat goes on with. */
export async function cancelExtractions(
  query: Queryable,
  { chatId, headRunId }: { chatId: string; headRunId: string },
): Promise<void> {
  const ranges = await readBranchRanges(query, headRunId);
  await query
    .update(exchanges)
    .set({ extraction: null })
    .where(and(eq(exchanges.chatId, chatId), isDue, not(isExchangeIn(ranges))));
}

async function setExtraction(query: Queryable, chatId: string, id: string, extraction: MemoryExtraction) {
  await query
    .update(exchanges)
    .set({ extraction })
    .where(and(eq(exchanges.chatId, chatId), eq(exchanges.id, id)));
}
