import type { Message } from '../../domain/run/message.ts';
import { estimateTokens, lastOldMessage, shortenOutput } from './fit-context.ts';

/**
 * Older output is shortened once a conversation takes this share of the window; the rest is for the next turn, the answer and errors of the estimate.
 */
const shorteningShare = 0.6;
/** Older turns are summarized if shortening does not bring the conversation below this share of the window. */
const summarizingShare = 0.75;
/** The latest turns that are kept beside a summary may take this share of the window. */
const keptShare = 0.25;
/** Less than this share of a conversation is not worth a summary. */
const worthShare = 0.3;
/** Minimum number of turns between two shortenings: each invalidates the providers' prompt caches from the first changed message on. */
const turnsBetween = 4;

export interface Fit {
  /** Shorten tool output up to and including this message. */
  shortenUpTo?: number;
  /** Before the model is asked, summarize the messages up to and including this one, except those before the first turn. */
  summarizeUpTo?: number;
}

/** Decides how to fit a conversation of `tokens` tokens before the model is asked; `messages` are all that the model gets, unshortened. */
export function chooseFit(messages: Message[], shortenedUpTo: number, tokens: number, window: number): Fit {
  if (tokens < shorteningShare * window) return {};
  const most = summarizingShare * window;
  const shown = shortenOutput(messages, shortenedUpTo);
  const leftWith = (upTo: number) =>
    tokens - estimateTokens(shown) + estimateTokens(shortenOutput(messages, Math.max(upTo, shortenedUpTo)));

  const next = lastOldMessage(messages);
  const turnsSince = turnOf(messages, next) - turnOf(messages, shortenedUpTo);
  const mayShorten = turnsSince >= (tokens < most ? turnsBetween : 1);
  const left = mayShorten ? leftWith(next) : tokens;
  if (left < most) return left < tokens ? { shortenUpTo: next } : {};

  const older = findCut(shown, { maxTokens: keptShare * window, minTurns: 1 });
  if (older !== undefined) return { summarizeUpTo: older };

  // The latest turn alone fills the window.
  const all = lastOldMessage(messages, 0);
  if (leftWith(all) < most) return { shortenUpTo: all };
  const latest = findCut(shown, { maxTokens: 0, minTurns: 0 });
  if (latest !== undefined) return { summarizeUpTo: latest };
  return leftWith(all) < tokens ? { shortenUpTo: all } : {};
}

/** Where to cut a conversation that was too long for a window of unknown size; undefined if a summary would gain nothing. */
export function findCutOfTooLong(messages: Message[]): number | undefined {
  return findCut(messages, { maxTokens: keptShare * estimateTokens(messages), minTurns: 0 });
}

/**
 * The last message to summarize if as many of the latest turns as fit are kept. A turn is kept or summarized as a whole, so no call is separated from
 * its result; undefined if what would be summarized is not worth it.
 */
function findCut(
  messages: Message[],
  { maxTokens, minTurns }: { maxTokens: number; minTurns: number },
): number | undefined {
  const turns = [...new Set(messages.map(({ turn }) => turn))].filter((turn) => turn > 0);
  const sizeFrom = (turn: number) => estimateTokens(messages.filter((message) => message.turn >= turn));
  const kept = turns.filter((turn, index) => index >= turns.length - minTurns || sizeFrom(turn) <= maxTokens);
  const first = kept[0] ?? Number.POSITIVE_INFINITY;
  const goes = messages.filter(({ turn }) => turn > 0 && turn < first);
  if (estimateTokens(goes) < worthShare * estimateTokens(messages)) return undefined;
  return goes.at(-1)?.number;
}

function turnOf(messages: Message[], number: number): number {
  return messages.find((message) => message.number === number)?.turn ?? 0;
}

/**
 * Share of an answer's tokens that the earlier conversation may take: each call of the answer resends it, so at worst the answer has a handful of
 * calls.
 */
const earlierShare = 0.25;
/** Tokens; instructions and tools take half of it. */
const minRoom = 10_000;

/** Tokens for the part of a chat before a message. */
export function roomForEarlier(answerTokens: number): number {
  return Math.max(minRoom, answerTokens * earlierShare);
}

/**
 * Decides what to do to the part of a chat before the message that is being answered, so that it leaves room for the answer. The message and the work
 * done for it stay whole: they are what the answer's tokens are for.
 */
export function fitEarlier(messages: Message[], shortenedUpTo: number, tokens: number, room: number): Fit {
  const asked = messages.findLastIndex(({ role, turn }) => role === 'user' && turn > 0);
  // Later the count includes the work done for the message, which an estimate is too rough to subtract.
  if (asked === -1 || asked !== messages.length - 1) return {};
  const present = estimateTokens(shortenOutput(messages.slice(asked), shortenedUpTo));
  return chooseFit(messages.slice(0, asked), shortenedUpTo, tokens - present, room);
}
