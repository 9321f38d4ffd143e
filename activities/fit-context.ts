import type { Message } from '../db/transcript/message.ts';
import type { Conversation } from '../db/transcript/read-conversation.ts';

/** Characters of English text and code that make one token of common tokenizers, roughly (OpenAI's rule of thumb is 4; code has fewer). */
export const charactersPerToken = 3.5;
/** The latest turns are left whole: what the agent is working with. */
const wholeTurns = 6;
/** Characters that are left of the head and of the tail of an output. */
const headLength = 600;
const tailLength = 600;

/** What a run has been counted at by its provider: all messages up to and with the answer of that turn. */
export interface CountedTurn {
  turn: number;
  tokens: number;
}

/** Tokens of a conversation: what the provider counted, and an estimate for what came after. */
export function estimateTokens(messages: Message[], counted?: CountedTurn): number {
  const since = counted
    ? messages.filter(({ turn, role }) => turn > counted.turn || (turn === counted.turn && role !== 'assistant'))
    : messages;
  return (counted?.tokens ?? 0) + Math.ceil(since.reduce((sum, one) => sum + lengthOf(one), 0) / charactersPerToken);
}

/**
 * The messages with what stands in for the older ones, which comes behind the task in one message with it: the next is an answer, and
 * some servers refuse two messages of a user in a row.
 */
export function withSummary({ messages, summary }: Pick<Conversation, 'messages' | 'summary'>): Message[] {
  const task = summary ? messages.findLastIndex(({ turn }) => turn === 0) : -1;
  return messages.map((message, index) =>
    index === task
      ? { ...message, content: { ...message.content, text: `${message.content.text}\n\n${summary?.shown}` } }
      : message,
  );
}

/** The number of the last message whose output may be shortened: older than the latest turns. */
export function lastOldMessage(messages: Message[], whole = wholeTurns): number {
  const latest = messages.at(-1)?.turn ?? 0;
  return messages.findLast(({ turn }) => turn <= latest - whole)?.number ?? -1;
}

/**
 * The messages with the tool output up to a number shortened to head and tail. The same number gives the same text, so that between two
 * changes of it the providers' caches find what they know.
 */
export function shortenOutput(messages: Message[], upTo: number): Message[] {
  return messages.map((message) => {
    const { text } = message.content;
    const isLong = text.length > headLength + tailLength + 200;
    if (message.role !== 'tool' || message.number > upTo || !isLong) return message;
    const head = text.slice(0, headLength).toWellFormed();
    const tail = text.slice(-tailLength).toWellFormed();
    const left = text.length - head.length - tail.length;
    const note = `[... ${left} characters left out of this older result; read_output with message ${message.number} shows them ...]`;
    return { ...message, content: { ...message.content, text: `${head}\n${note}\n${tail}` } };
  });
}

function lengthOf({ content }: Message): number {
  const calls = content.toolCalls?.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0) ?? 0;
  const carried = content.carried ? JSON.stringify(content.carried.items).length : 0;
  return content.text.length + calls + carried;
}
