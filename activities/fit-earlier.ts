import type { Message } from '../db/transcript/message.ts';
import { chooseFit, type Fit } from './choose-fit.ts';
import { estimateTokens, shortenOutput } from './fit-context.ts';

/** Of the tokens that an answer may take: each of its calls resends the conversation, so that it has a handful of them at worst. */
const earlierShare = 0.25;
/** Instructions and tools alone take half of that. */
const leastRoom = 10_000;

/** Tokens of a window that what was said in a chat before a message is fitted into. */
export function roomForEarlier(answerTokens: number): number {
  return Math.max(leastRoom, answerTokens * earlierShare);
}

/**
 * What has to be done to what was said in a chat before the message that is being answered, so that it leaves room for the answer. The
 * message and what was done for it are left whole: that is what the answer's tokens are for.
 */
export function fitEarlier(messages: Message[], shortenedUpTo: number, tokens: number, room: number): Fit {
  const asked = messages.findLastIndex(({ role, turn }) => role === 'user' && turn > 0);
  // Later the count is of what was done for the message too, of which an estimate says too little to take it off.
  if (asked === -1 || asked !== messages.length - 1) return {};
  const present = estimateTokens(shortenOutput(messages.slice(asked), shortenedUpTo));
  return chooseFit(messages.slice(0, asked), shortenedUpTo, tokens - present, room);
}
