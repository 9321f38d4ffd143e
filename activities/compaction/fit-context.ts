import type { Conversation } from '../../db/transcript/read-conversation.ts';
import type { Message } from '../../domain/run/message.ts';

/** Characters per token of English text and code in common tokenizers, roughly (OpenAI's rule of thumb is 4; code has fewer). */
export const charactersPerToken = 3.5;
/** Tokens of a picture: what providers count for one of a million pixels. */
const tokensOfImage = 1_500;
/** The latest turns stay whole: they are what the agent is working with. */
const wholeTurns = 6;
/** Characters kept of the head and of the tail of an output. */
const headLength = 600;
const tailLength = 600;

/** A provider's token count of a run: all messages up to and including the answer of that turn. */
export interface CountedTurn {
  turn: number;
  tokens: number;
}

/** Tokens of a conversation: the provider's count, plus an estimate for what came after it. */
export function estimateTokens(messages: Message[], counted?: CountedTurn): number {
  const since = counted ? messagesSince(messages, counted.turn) : messages;
  return (counted?.tokens ?? 0) + Math.ceil(since.reduce((sum, one) => sum + lengthOf(one), 0) / charactersPerToken);
}

/** What follows the turn's answer; a turn may begin with a person's message, which was counted with it. */
function messagesSince(messages: Message[], countedTurn: number): Message[] {
  const answer = messages.find(({ turn, role }) => turn === countedTurn && role === 'assistant');
  return messages.filter(({ number, turn }) => (answer ? number > answer.number : turn > countedTurn));
}

/**
 * The messages with the summary in place of the older ones. It is appended to the task rather than sent as a message of its own: an answer follows,
 * and some servers refuse two user messages in a row.
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
  // A chat has no task: the summary is put before the person's next words, or stands alone before an answer.
  if (next?.role === 'user') {
    const text = `${summary.shown}\n\n${next.content.text}`;
    return [...before, { ...next, content: { ...next.content, text } }, ...rest];
  }
  const shown = { number: summary.upToMessage, turn: 0, role: 'user' as const, content: { text: summary.shown } };
  return [...before, shown, ...messages.slice(first + 1)];
}

/** The number of the last message that is older than the latest `whole` turns, up to which output may be shortened. */
export function lastOldMessage(messages: Message[], whole = wholeTurns): number {
  const latest = messages.at(-1)?.turn ?? 0;
  return messages.findLast(({ turn }) => turn <= latest - whole)?.number ?? -1;
}

/**
 * The messages with tool output up to and including `upTo` shortened to head and tail. The same number gives the same text, so that the providers'
 * prompt caches stay valid until it changes.
 */
export function shortenOutput(messages: Message[], upTo: number): Message[] {
  if (upTo < 0) return [...messages];
  return messages.map((message) => (message.role === 'tool' && message.number <= upTo ? shortened(message) : message));
}

/** The message without the middle of its text if that is long. */
function shortened(message: Message): Message {
  const { text } = message.content;
  if (text.length <= headLength + tailLength + 200) return message;
  const head = text.slice(0, headLength).toWellFormed();
  const tail = text.slice(-tailLength).toWellFormed();
  const left = text.length - head.length - tail.length;
  const note = `[... ${left} characters of this older result left out; read_output with message ${message.number} shows them ...]`;
  return { ...message, content: { ...message.content, text: `${head}\n${note}\n${tail}` } };
}

function lengthOf({ content }: Message): number {
  const calls = content.toolCalls?.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0) ?? 0;
  const carried = content.carried ? JSON.stringify(content.carried.items).length : 0;
  const images = (content.images?.length ?? 0) * tokensOfImage * charactersPerToken;
  return content.text.length + calls + carried + images;
}
