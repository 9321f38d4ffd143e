import type { MessageImage } from '../chat/images.ts';

export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

/** A tool call as requested by the model; `arguments` is its raw text, which need not be JSON. */
export interface RequestedToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** Parts of an answer that only its provider understands and that have to be sent back with the next request, such as signed thinking. */
export interface CarriedItems {
  provider: string;
  items: unknown[];
}

/** A memory as it was recalled for a message. */
export interface Recollection {
  id: string;
  kind: string;
  /** The beginning of its text. */
  text: string;
  /** Comparable only with those of the same message. */
  score: number;
  /** What found it. */
  why: 'vector' | 'text' | 'both' | 'neighbour';
  similarity: number | null;
  /** Id of the run or of whatever else it came from; null if unknown. */
  source: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** The content of a message besides its role. */
export interface MessageContent {
  text: string;
  /** Chosen by a program that added the message to a conversation, so that a retry adds it only once. */
  id?: string;
  /** Assistant only. */
  toolCalls?: RequestedToolCall[];
  /** Assistant only. */
  carried?: CarriedItems;
  /** Assistant only: it refused to answer, or a filter kept it from doing so. */
  refused?: boolean;
  /** Assistant only: the answer broke off at its token limit. */
  cutOff?: boolean;
  /** In a chat: the person's words, if `text` has more after them (the time, recalled memories). */
  said?: string;
  /** A person in a chat: the pictures that came with the words. */
  images?: MessageImage[];
  /** A person in a chat: ids of the memories in the message. */
  recalled?: string[];
  /** The same memories, and why they were recalled. */
  recollections?: Recollection[];
  /** A person in a chat: why nothing was recalled, if memories could not be searched. */
  recallFailure?: string;
  /**
   * A note by Longhaul among a person's messages in a chat: it reaches the model with the person's next message, also in a branch that begins before
   * it.
   */
  isNote?: true;
  /** System only: the commit whose standing instructions it has, and the folders below the root that have their own. */
  instructions?: { commit: string; folders: string[] };
  /** Tool result: folders whose standing instructions it has. */
  instructionsOf?: string[];
  /** Tool result: the call that it answers. */
  toolCallId?: string;
  /** Tool result: the command of which `text` shows only the head and the tail; its sandbox has the full output. */
  commandId?: string;
}

export interface Message {
  number: number;
  turn: number;
  role: MessageRole;
  content: MessageContent;
}

/** A piece of an answer that is still arriving. */
export type AnswerDelta =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** `index` identifies the call within the answer; `arguments` is the part that was added. */
  | { type: 'tool-call'; index: number; name: string; arguments: string };
