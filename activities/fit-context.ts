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
  if (!summary) return messages;
  const first = messages.findLastIndex(({ turn }) => turn === 0);
  const [before, next, rest] = [messages.slice(0, first + 1), messages[first + 1], messages.slice(first + 2)];
  const task = before.at(-1);
  if (task?.role === 'user') {
    const text = `${task.content.text}\n\n${summary.shown}`;
    return [...messages.slice(0, first), { ...task, content: { ...task.content, text } }, ...messages.slice(first + 1)];
  }
  // A chat has no task: the summary is told with the person's next words, or by itself before an answer.
  if (next?.role === 'user') {
    const text = `${summary.shown}\n\n${next.content.text}`;
    return [...before, { ...next, content: { ...next.content, text } }, ...rest];
  }
  const told = { number: summary.upToMessage, turn: 0, role: 'user' as const, content: { text: summary.shown } };
  return [...before, told, ...messages.slice(first + 1)];
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
