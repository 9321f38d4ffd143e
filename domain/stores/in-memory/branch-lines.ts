import type { Branch, Conversation, ConversationMessage, NewConversationMessage } from '../conversations.ts';
import { type Cut, cutAfter, endOf, unknownMessage, unusable } from '../rules/message-rules.ts';

export type Stored = ConversationMessage & { turn: number };

export interface Line extends Branch {
  messages: Stored[];
  /** Model answers so far. */
  turns: number;
  /** The message before which its messages are copies of those of the branch that it continues. */
  from: number;
}

export interface Kept {
  conversation: Conversation;
  lines: Line[];
}

/** The messages with the ids of these; undefined if none of them was added before. */
export function findKnown({ lines }: Kept, messages: NewConversationMessage[]): Stored[] | undefined {
  const all = lines.flatMap((line) => line.messages);
  const known = messages.flatMap(({ id }) => (id === undefined ? [] : (all.find((one) => one.id === id) ?? [])));
  if (!known.length) return undefined;
  if (known.length < messages.length)
    throw unusable(`The message "${known[0]?.id}" was added before, without the others.`);
  return known;
}

export function lineOf({ conversation, lines }: Kept, name = conversation.branch ?? undefined): Line | undefined {
  const found = lines.find((line) => line.name === name);
  if (!found && name !== undefined)
    throw unusable(`The conversation has no branch "${name}". It has: ${lines.map((line) => line.name).join(', ')}.`);
  return found;
}

export function messageAt(kept: Kept, number: number): Stored {
  const found = lineOf(kept)?.messages.find((one) => one.number === number);
  if (!found) throw unknownMessage(number);
  return found;
}

export function cutOf(kept: Kept, after: number): Cut {
  const message = messageAt(kept, after);
  const asked = lineOf(kept)?.messages.findLast((one) => one.number <= after && one.role !== 'tool');
  return cutAfter(message, asked ? { number: asked.number, calls: asked.toolCalls.length } : null);
}

export function begin(kept: Kept, cut: Cut): void {
  const line = lineOf(kept);
  if (!line) throw unknownMessage(cut.number);
  const name = `r${kept.lines.length + 1}`;
  for (const one of kept.lines) one.current = false;
  kept.lines.push(copyLine(line, { name, continues: line.name, cut }));
  kept.conversation.branch = name;
}

export function newLine(name: string): Line {
  return { name, continues: null, current: true, createdAt: new Date(), messages: [], turns: 0, from: 0 };
}

export function copyLine(
  line: Line,
  { name, continues, cut }: { name: string; continues: string | null; cut: Cut | undefined },
): Line {
  const messages = line.messages.filter(({ number }) => cut === undefined || number < cut.number);
  const turns = cut ? Math.max(0, cut.turn - 1) : line.turns;
  return { ...newLine(name), continues, messages, turns, from: continues === null ? 0 : (cut?.number ?? 0) };
}

export function endOfLine({ messages, turns }: Line) {
  const last = messages.findLastIndex(({ role }) => role !== 'tool');
  return endOf(last < 0 ? [] : messages.slice(last), turns);
}

/** Those that are not copies of another branch's. */
export function ownMessages({ messages, from }: Line): Stored[] {
  return messages.filter(({ number }) => number >= from);
}

export function toMessage({ turn: _, toolCalls, ...message }: Stored): ConversationMessage {
  return { ...message, toolCalls: toolCalls.map((call) => ({ ...call })) };
}
