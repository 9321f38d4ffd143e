import { eq } from 'drizzle-orm';
import type { Database } from '../../db/connection/database.ts';
import { addToOwner } from '../../db/events/add-to-owner.ts';
import { runs } from '../../db/schema/runs.ts';
import type { Conversation } from '../../db/transcript/read-conversation.ts';
import { readLatestUsage } from '../../db/usage/read-usage.ts';
import type { Message } from '../../domain/run/message.ts';
import type { RunOwner } from '../../domain/run/run-owner.ts';
import { chooseFit, findCutOfTooLong, fitEarlier, roomForEarlier } from './choose-fit.ts';
import { type CountedTurn, estimateTokens, lastOldMessage, shortenOutput, withSummary } from './fit-context.ts';

/**
 * Below these shares the estimate alone is good enough, and the provider's count is not looked up. Chinese and Japanese take up to four times the
 * tokens of the estimate, so a window may be half full if the estimate fills an eighth. The share of the room for the earlier part of a chat is
 * larger: exceeding that room only costs tokens, and it is so small that most turns would look up the count.
 */
const carefulShares = { window: 0.12, room: 0.25 };

/** A turn whose model is about to be asked. */
type Turn = { owner: RunOwner; runId: string; turn: number };

/** What to summarize before the model can be asked. */
export interface NeedsSummary {
  compact: {
    /** The last message to summarize. */
    upToMessage: number;
    why: string;
    /** The summary is optional: it only leaves more tokens for the answer. */
    optional?: true;
  };
}

/**
 * Returns the messages to ask the model with. If they take much of its window, or the earlier part of a chat takes much of the `answerTokens` that
 * the answer may use, older tool output is shortened from now on; it stays shortened for the model, and whole in the transcript. If that is not
 * enough, returns what has to be summarized first.
 */
export async function fitConversation(
  database: Database,
  run: Turn,
  conversation: Conversation,
  window: number,
  answerTokens?: number,
): Promise<Message[] | NeedsSummary> {
  const { shortenedUpTo } = conversation;
  const messages = withSummary(conversation);
  const shown = shortenOutput(messages, shortenedUpTo);
  const room = answerTokens === undefined ? window : roomForEarlier(answerTokens);
  const estimate = estimateTokens(shown);
  if (estimate < carefulShares.window * window && estimate < carefulShares.room * room) return shown;
  const tokens = estimateTokens(shown, await readCount(database, run.runId, conversation));
  const { shortenUpTo, summarizeUpTo } = chooseFit(messages, shortenedUpTo, tokens, window);
  const why = `${tokens} of ${window} tokens were in use`;
  if (summarizeUpTo !== undefined) return { compact: { upToMessage: summarizeUpTo, why } };
  if (shortenUpTo !== undefined) return shortenFurther(database, run, messages, shortenUpTo, why);
  if (room >= window) return shown;

  const earlier = fitEarlier(messages, shortenedUpTo, tokens, room);
  const whyEarlier = `what was said before used much of the ${answerTokens} tokens of an answer`;
  if (earlier.summarizeUpTo !== undefined)
    return { compact: { upToMessage: earlier.summarizeUpTo, why: whyEarlier, optional: true } };
  if (earlier.shortenUpTo !== undefined)
    return shortenFurther(database, run, messages, earlier.shortenUpTo, whyEarlier);
  return shown;
}

/** Shortens the latest results too, for a conversation that still did not fit; undefined if that would change nothing. */
export async function shortenAll(
  database: Database,
  run: Turn,
  conversation: Conversation,
): Promise<Message[] | undefined> {
  const { shortenedUpTo } = conversation;
  const messages = withSummary(conversation);
  const next = lastOldMessage(messages, 0);
  const [before, after] = [shortenOutput(messages, shortenedUpTo), shortenOutput(messages, next)].map((shown) =>
    estimateTokens(shown),
  );
  if (next <= shortenedUpTo || before === after) return undefined;
  return shortenFurther(database, run, messages, next, tooLong);
}

const tooLong = 'the model found it too long';

/**
 * What to summarize of a conversation that did not fit even with all output shortened; undefined if that would gain nothing, or would remove the
 * beginning of an answer that is being continued.
 */
export function summarizeTooLong(conversation: Conversation): NeedsSummary | undefined {
  if (conversation.messages.at(-1)?.role === 'assistant') return undefined;
  const messages = withSummary(conversation);
  const upToMessage = findCutOfTooLong(shortenOutput(messages, lastOldMessage(messages, 0)));
  return upToMessage === undefined ? undefined : { compact: { upToMessage, why: tooLong } };
}

/** The provider's latest count; undefined if it dates from before the conversation was last summarized or shortened. */
async function readCount(
  database: Database,
  runId: string,
  { summary, shortenedAtTurn }: Conversation,
): Promise<CountedTurn | undefined> {
  const counted = await readLatestUsage(database, runId);
  return counted && counted.turn >= Math.max(summary?.turn ?? 0, shortenedAtTurn) ? counted : undefined;
}

async function shortenFurther(
  database: Database,
  run: Turn,
  messages: Message[],
  upTo: number,
  why: string,
): Promise<Message[]> {
  const { runId, turn } = run;
  await addToOwner(database, run.owner, {
    events: [{ type: 'context.shortened', run: runId, upToMessage: upTo, why }],
    rows: (query) => [query.update(runs).set({ shortenedUpTo: upTo, shortenedAtTurn: turn }).where(eq(runs.id, runId))],
  });
  return shortenOutput(messages, upTo);
}
