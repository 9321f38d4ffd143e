import { maxMessageLength } from '../../chat/messages.ts';
import type { MessageRole, RequestedToolCall } from '../../run/message.ts';
import type { NewConversationMessage } from '../conversations.ts';
import { StoreError } from '../store-error.ts';

/** What is known of the end of a branch before messages are added to it. */
export interface BranchEnd {
  /** The number after the last message. */
  next: number;
  /** Model answers so far. */
  turns: number;
  /** The last answer, if calls of it may be open. */
  asked: { number: number; turn: number; calls: RequestedToolCall[]; answered: string[] } | null;
}

/** What `endOf` needs of a message. */
export interface EndMessage {
  number: number;
  turn: number;
  role: MessageRole;
  toolCalls: RequestedToolCall[];
  toolCallId: string | null;
}

/** The end of a branch, from its last message that is no tool's result and the results after it. Number 0 is for the system message. */
export function endOf([last, ...results]: readonly EndMessage[], turns: number): BranchEnd {
  if (!last) return { next: 1, turns, asked: null };
  const { number, turn, toolCalls: calls } = last;
  const answered = results.flatMap(({ toolCallId }) => toolCallId ?? []);
  return {
    next: number + 1 + calls.length,
    turns,
    asked: calls.length ? { number, turn, calls, answered } : null,
  };
}

/** A message with its place. */
export interface Placed {
  message: NewConversationMessage;
  number: number;
  turn: number;
  /** Of a tool's result: the place of its call in the answer, and the tool. */
  call: { position: number; name: string } | null;
}

/**
 * Gives messages their places.
 * @throws {StoreError} `MessageUnusable` naming the first that cannot be where it would be.
 */
export function placeMessages(
  end: BranchEnd,
  messages: readonly NewConversationMessage[],
  { isEmpty }: { isEmpty: boolean },
): { placed: Placed[]; end: BranchEnd } {
  const placed: Placed[] = [];
  let now = end;
  for (const message of messages) {
    const one = place(now, message, isEmpty && !placed.length);
    placed.push(one);
    now = endAfter(now, one);
  }
  return { placed, end: now };
}

function place(end: BranchEnd, message: NewConversationMessage, isFirst: boolean): Placed {
  const { next, turns, asked } = end;
  if (message.role === 'tool') return placeResult(end, message);
  if (message.role === 'system') {
    if (isFirst) return { message, number: 0, turn: 0, call: null };
    throw unusable('A system message can only be the first of a conversation.');
  }
  const open = asked?.calls.filter(({ id }) => !asked.answered.includes(id)) ?? [];
  if (open.length) {
    const calls = open.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw unusable(`Expected the results of the open tool calls first: ${calls}.`);
  }
  if (message.role === 'assistant') expectCalls(message.toolCalls ?? []);
  else expectText(message.text);
  return { message, number: next, turn: turns + 1, call: null };
}

function placeResult({ asked }: BranchEnd, message: NewConversationMessage & { role: 'tool' }): Placed {
  const position = asked?.calls.findIndex(({ id }) => id === message.toolCallId) ?? -1;
  const call = asked?.calls[position];
  if (!asked || !call) throw unusable(`The last answer has no tool call "${message.toolCallId}".`);
  if (asked.answered.includes(call.id)) throw unusable(`The tool call "${call.id}" has a result already.`);
  return { message, number: asked.number + 1 + position, turn: asked.turn, call: { position, name: call.name } };
}

function endAfter(end: BranchEnd, { message, number, turn }: Placed): BranchEnd {
  const { asked } = end;
  switch (message.role) {
    case 'system':
      return end;
    case 'user':
      return { ...end, next: number + 1, asked: null };
    case 'tool':
      return { ...end, asked: asked && { ...asked, answered: [...asked.answered, message.toolCallId] } };
    case 'assistant': {
      const calls = message.toolCalls ?? [];
      const next = number + 1 + calls.length;
      return { next, turns: turn, asked: calls.length ? { number, turn, calls, answered: [] } : null };
    }
  }
}

function expectCalls(calls: RequestedToolCall[]): void {
  const ids = calls.map(({ id }) => id);
  if (new Set(ids).size === ids.length && !ids.includes('')) return;
  throw unusable(`Expected tool calls with different ids, got ${JSON.stringify(ids)}.`);
}

function expectText(text: string): void {
  if (!text.trim()) throw unusable("Expected a person's message with text, got an empty one.");
  if (text.length > maxMessageLength)
    throw unusable(`Expected a message of at most ${maxMessageLength} characters, got ${text.length}.`);
}

/** What follows a cut after a message: the number of the first message that stays out, and its turn. */
export interface Cut {
  number: number;
  turn: number;
}

/**
 * `calls` are those of the answer that the message is, or is a result for.
 * @throws {StoreError} `MessageUnusable` between a tool call and its result.
 */
export function cutAfter(
  message: { number: number; turn: number; role: string },
  asked: { number: number; calls: number } | null,
): Cut {
  if (asked && asked.calls > 0 && message.number < asked.number + asked.calls)
    throw unusable(`A branch cannot begin after message ${message.number}, between a tool call and its result.`);
  return { number: message.number + 1, turn: message.role === 'user' ? message.turn : message.turn + 1 };
}

/** @throws {StoreError} `InvalidInput`: ids also name containers and folders. */
export function expectConversationId(id: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id)) return;
  throw new StoreError(
    'InvalidInput',
    `Expected the id of a conversation: 1 to 100 letters, digits, ".", "_" and "-". Got ${JSON.stringify(id.slice(0, 100))}.`,
  );
}

const maxNameLength = 80;

/** @throws {StoreError} `NameUnusable` */
export function expectConversationName(name: string): void {
  if (name.trim() === name && name.length > 0 && name.length <= maxNameLength && !/\p{Cc}/u.test(name)) return;
  throw new StoreError(
    'NameUnusable',
    `Expected a name of 1 to ${maxNameLength} characters on one line, without spaces around it. Got ${JSON.stringify(name.slice(0, 100))}.`,
  );
}

export function nameTaken(name: string): StoreError {
  return new StoreError('NameUnusable', `Another conversation is called "${name}". Choose another name.`);
}

export function unknownConversation(id: string): StoreError {
  return new StoreError('UnknownConversation', `No conversation has the id "${id}". \`list()\` shows them.`);
}

export function unknownMessage(number: number): StoreError {
  return new StoreError('UnknownMessage', `The branch has no message ${number}. \`messages()\` shows their numbers.`);
}

export function unusable(message: string): StoreError {
  return new StoreError('MessageUnusable', message);
}
