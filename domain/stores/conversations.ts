import type { MessageRole, RequestedToolCall } from '../run/message.ts';
import type { Purgeable } from './purge.ts';

export interface Conversation {
  id: string;
  name: string;
  person: string | null;
  projectId: string | null;
  /** The conversation that it was forked from. */
  parentId: string | null;
  /** The branch that new messages continue; null before the first message. */
  branch: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

export interface NewConversation {
  /** Makes a retry create it only once: up to 100 letters, digits, `.`, `_` and `-`. */
  id?: string | undefined;
  /** Up to 80 characters on one line; no two conversations have the same. The id if absent. */
  name?: string | undefined;
  person?: string | undefined;
  projectId?: string | undefined;
}

export interface ConversationMessage {
  /** Its place: messages are in the order of their numbers, which may have gaps. */
  number: number;
  /** As the caller chose it. */
  id: string | null;
  role: MessageRole;
  text: string;
  /** Of an answer that asks for tools. */
  toolCalls: RequestedToolCall[];
  /** Of a tool's result: the call that it answers, and whether it failed. */
  toolCallId: string | null;
  failed: boolean | null;
  createdAt: Date;
}

export type NewConversationMessage = {
  /** Makes a retry add it only once. */
  id?: string | undefined;
  text: string;
} & (
  | { role: 'system' | 'user' }
  | { role: 'assistant'; toolCalls?: RequestedToolCall[] | undefined }
  | { role: 'tool'; toolCallId: string; failed?: boolean | undefined }
);

/** One line of a conversation. */
export interface Branch {
  name: string;
  /** The branch that it continues; null for the first. */
  continues: string | null;
  /** Whether new messages continue it. */
  current: boolean;
  createdAt: Date;
}

/** The last messages if neither `before` nor `after` is given. */
export interface MessagePage {
  /** The last messages with lower numbers. */
  before?: number | undefined;
  /** The first messages with higher numbers. */
  after?: number | undefined;
  /** 100 if absent. */
  limit?: number | undefined;
  /** The current one if absent. */
  branch?: string | undefined;
}

/**
 * Conversations with all their branches: a message is never changed, a change begins a branch. Ids that no conversation has are refused with a
 * `StoreError` (`UnknownConversation`); a conversation in which an answer is running, with `ConversationBusy`.
 */
export interface ConversationStore extends Purgeable {
  /** @throws {StoreError} `NameUnusable`, or `InvalidInput` for an id that cannot be used. */
  create(conversation?: NewConversation): Promise<Conversation>;
  get(id: string): Promise<Conversation>;
  /** Most recently used first. */
  list(filter?: {
    person?: string | undefined;
    projectId?: string | undefined;
    /** Only those that were last used before. */
    before?: Date | undefined;
    limit?: number | undefined;
  }): Promise<Conversation[]>;
  /** @throws {StoreError} `NameUnusable` */
  rename(id: string, name: string): Promise<Conversation>;
  /** With everything that was said in it, and the memory of its session; false if there was none. */
  delete(id: string): Promise<boolean>;
  /**
   * Adds messages to the current branch, all or none. A system message can only be the first; a tool's result takes the place of the call that it
   * answers; everything else comes after all calls are answered.
   * @throws {StoreError} `MessageUnusable`
   */
  append(id: string, ...messages: NewConversationMessage[]): Promise<ConversationMessage[]>;
  messages(id: string, page?: MessagePage): Promise<ConversationMessage[]>;
  /** In order of creation. */
  branches(id: string): Promise<Branch[]>;
  /**
   * Begins a branch that continues after a message of the current one, and makes it the current one.
   * @throws {StoreError} `UnknownMessage`; `MessageUnusable` between a tool call and its result.
   */
  branch(id: string, after: number): Promise<Conversation>;
  /**
   * Begins a branch in which a person says something else instead of a message of theirs.
   * @throws {StoreError} `UnknownMessage`; `MessageUnusable` if it is not a person's.
   */
  edit(id: string, number: number, text: string): Promise<ConversationMessage>;
  /**
   * Begins a branch that ends with the message of a person that was answered by this one (or is this one), for another answer.
   * @throws {StoreError} `UnknownMessage`
   */
  regenerate(id: string, number: number): Promise<ConversationMessage>;
  /**
   * Creates a conversation that begins with the current branch, up to a message or whole; from then on the two are independent.
   * @throws {StoreError} `MessageUnusable` if there is nothing to fork; `UnknownMessage`; as `create`.
   */
  fork(
    id: string,
    fork?: Omit<NewConversation, 'projectId' | 'person'> & { after?: number | undefined },
  ): Promise<Conversation>;
}
