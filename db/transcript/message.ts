export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

/** A tool call as the model asked for it; `arguments` is its text, which need not be JSON. */
export interface RequestedToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** Parts of an answer that only its provider understands and wants back with the next request, such as signed thinking. */
export interface CarriedItems {
  provider: string;
  items: unknown[];
}

/** A memory as it was recalled for a message. */
export interface Recollection {
  id: string;
  kind: string;
  /** Its beginning. */
  text: string;
  /** Comparable with those of the same message. */
  score: number;
  /** What found it. */
  why: 'vector' | 'text' | 'both' | 'neighbour';
  similarity: number | null;
  /** The run or the id of what it came from; null where that is not known. */
  source: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** What a message holds besides its role. */
export interface MessageContent {
  text: string;
  /** Of an assistant. */
  toolCalls?: RequestedToolCall[];
  /** Of an assistant. */
  carried?: CarriedItems;
  /** Of an assistant that would not answer, or was kept from it by a filter. */
  refused?: boolean;
  /** Of an assistant whose answer broke off at its limit of tokens. */
  cutOff?: boolean;
  /** Of a person in a chat: what they said, where `text` has recalled memories behind it. */
  said?: string;
  /** Of a person in a chat: the ids of the memories in it. */
  recalled?: string[];
  /** The same memories, and why they were recalled. */
  recollections?: Recollection[];
  /** Of a person in a chat: why nothing was recalled, where memories could not be searched. */
  recallFailure?: string;
  /** Of what stands among a person's messages in a chat and Longhaul says: it is told with the person's next words, also in a branch that begins before it. */
  isNote?: true;
  /** Of a tool's result: the call it answers. */
  toolCallId?: string;
}

export interface Message {
  number: number;
  turn: number;
  role: MessageRole;
  content: MessageContent;
}

/** A piece of an answer while it arrives. */
export type AnswerDelta =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** `index` tells the calls of one answer apart; `arguments` is what was added. */
  | { type: 'tool-call'; index: number; name: string; arguments: string };
