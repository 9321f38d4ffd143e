import type { Message } from '../../domain/run/message.ts';
import { chooseFit, type Fit } from './choose-fit.ts';
import { estimateTokens, shortenOutput } from './fit-context.ts';

/**
 * Share of an answer's tokens that the earlier conversation may take: each call of the answer resends it, so at worst the answer has a handful of
 * calls.
 */
const earlierShare = 0.25;
/** Tokens; instructions and tools alone take half of that. */
const leastRoom = 10_000;

/** Tokens into which the part of a chat before a message has to fit. */
export function roomForEarlier(answerTokens: number): number {
  return Math.max(leastRoom, answerTokens * earlierShare);
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
