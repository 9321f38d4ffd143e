import type { ChatBranch } from '../../db/chats/branches.ts';
import type { ChatExchange, HistoryPart } from '../../db/chats/read-history.ts';
import type { UsageSum } from '../../db/usage/sum-usage.ts';
import type { ChatAgent } from '../../domain/project/settings.ts';
import type { TranscriptRun } from '../../domain/run/transcript.ts';
import type { Trouble } from '../events/poll.ts';
import type { FilesOfChat } from './files-of-chat.ts';

export interface SayOptions {
  /** Of the message; sending the same id again does not repeat the message. */
  id?: string | undefined;
  /** Stop the current answer instead of waiting for it. */
  now?: boolean | undefined;
  /**
   * The id of an earlier message to replace: a branch begins there, and what followed that message stays in the old branch. Not allowed while a
   * message is being answered.
   */
  instead?: string | undefined;
  /**
   * Pictures for models that take them: at most 8, PNG, JPEG, GIF or WebP, of at most 5 MiB. Asked again with `instead`, the same words keep theirs.
   */
  images?: Uint8Array[] | undefined;
}

export interface WatchChatOptions {
  signal?: AbortSignal | undefined;
  /** Called once when the database becomes unreachable, and with undefined when it is back. */
  onTrouble?: ((trouble: Trouble | undefined) => void) | undefined;
}

/** One chat. It is stored with its first message; until then it has at most a name. */
export interface ChatHandle extends FilesOfChat {
  /** Undefined until the first message unless it was given a name. */
  readonly name: string | undefined;
  /** Undefined until the first message. */
  readonly id: string | undefined;
  /** False for a conversation without memory. */
  readonly memory: boolean;
  /** Creates the chat, named after these words unless it was given a name; does nothing if it exists. Its first message does the same. */
  begin(words: string): Promise<void>;
  /**
   * Sends a message and yields its events until it is answered or has failed. It is stored at once, whether or not the events are read, and leaving
   * the loop does not stop the answer. Once it is stored, unreachable servers are waited for.
   * @throws {DatabaseError} `MessageUnusable` or `BranchUnusable`; `UnknownChat` if the chat is deleted meanwhile.
   */
  send(text: string, options?: SayOptions & WatchChatOptions): AsyncIterable<ChatStreamEvent>;
  /**
   * Stores a message and has it answered, without waiting for the answer; returns its id.
   * @throws {ClientError} `MessageWaits` if it is stored but Temporal is unreachable: `wake` then has it answered.
   */
  say(text: string, options?: SayOptions): Promise<string>;
  /**
   * Yields events from now on, or with `from: 'open'` since the first unanswered message, whoever sent it; ends when the signal aborts.
   * @throws {DatabaseError} `UnknownChat` if the chat is deleted meanwhile.
   */
  watch(options?: WatchChatOptions & { from?: 'now' | 'open' }): AsyncIterable<ChatStreamEvent>;
  /** Stops the answer to a message, by default the current one. If every message is answered it does nothing, not even to the next answer. */
  stop(message?: string): Promise<void>;
  /** Starts nothing new until a resume or the next message; the running call finishes and its result is kept. False if nothing is running. */
  pause(): Promise<boolean>;
  /** Ends a pause. */
  resume(): Promise<void>;
  /** Starts the answers to messages that were stored while Temporal was unreachable; waits for Temporal. */
  wake(options?: WatchChatOptions): Promise<void>;
  /**
   * The messages of a branch in order, by default the current branch. `last` limits it to that many of the latest exchanges, without reading the rest
   * of a long chat.
   * @throws {DatabaseError} `BranchUnusable` if there is no branch of that name.
   */
  history(options?: HistoryPart): Promise<ChatExchange[]>;
  /** In order of creation. */
  branches(): Promise<ChatBranch[]>;
  /** Its runs and those of the agents that it delegated to, oldest first; `Longhaul.transcript` reads one. */
  runs(): Promise<TranscriptRun[]>;
  /**
   * Creates a chat that begins with a copy of everything said in this one; without `name` it gets one derived from this chat's. It has an empty
   * sandbox of its own and none of the notes made for this chat alone; its agent is told so.
   * @throws {DatabaseError} `BranchUnusable` while a message is being answered, or if nothing was said yet.
   * @throws {DatabaseError} `ChatNameUnusable` if the name is taken.
   */
  fork(name?: string): Promise<ChatHandle>;
  /** What its model calls used. */
  usage(): Promise<UsageSum>;
  /**
   * Sets the models to ask from the next message on, comma-separated and tried in order; null means those of the role `chat`.
   * @throws {ClientError} `InvalidInput` if the text names no model.
   */
  setModel(model: string | null): Promise<void>;
  /** The models set for this chat; null if none were. */
  model(): Promise<string | null>;
  /** The models for its next message, comma-separated and tried in order, according to the settings of this process. */
  models(): Promise<string>;
  /**
   * Has a user-defined agent, given by name or folder or as returned by `agent`, answer from the next message on, or with null the assistant. The
   * agent's folder is read again before each message.
   * @throws {ClientError | AgentFileError | MadeToolRefusedError} `InvalidInput`
   */
  setAgent(agent: string | ChatAgent | null): Promise<void>;
  /** The user-defined agent for its next message; null if the assistant answers it. */
  agent(): Promise<ChatAgent | null>;
  /** The tools of its agent from the next message on, with the descriptions that the model is given. */
  tools(): Promise<Array<{ name: string; description: string }>>;
  /** @throws {DatabaseError} `ChatNameUnusable` if another chat has the name. */
  rename(name: string): Promise<void>;
  /** Stops its answer and deletes it with all its messages. */
  delete(): Promise<void>;
}

/** A chat event to show to a person; `message` is the id of the person's message that it belongs to. */
export type ChatStreamEvent = { message: string } & (
  | {
      type: 'message.received';
      number: number;
      text: string;
      /** The branch that this message begins. */
      branch?: string;
    }
  /**
   * `recalled` is the number of memories given to the model with the message, `recallFailure` why they could not be searched; `changedAgent` is the
   * agent that answers from now on, if it changed.
   */
  | { type: 'answer.started'; model: string; recalled: number; recallFailure?: string; changedAgent?: string }
  /** The model is called again: its text since the last tool call no longer counts. */
  | { type: 'answer-restarted'; why: string | undefined }
  /** The model did not answer and is called again after a pause. */
  | { type: 'answer-delayed'; why: string }
  /** What the model thinks, where it says so; it is not stored. */
  | { type: 'thinking'; text: string }
  | { type: 'delta'; text: string }
  /** `call` identifies the call within the answer; `preview` says what it is about. */
  | { type: 'tool-began'; call: string; tool: string; preview: string }
  /** The last line that a running call has written. */
  | { type: 'tool.output'; call: string; line: string }
  /** `pictures` are paths of those that the call made, on the worker's machine. */
  | { type: 'tool-ended'; call: string; tool: string; failed: boolean; preview: string; pictures?: string[] }
  /** No worker has reported for some seconds while it should work on the answer; then that one does again. */
  | { type: 'worker-silent' }
  | { type: 'worker-back' }
  /** What the network policy refused the chat's sandbox: hosts with ports, and why. Each host comes once. */
  | { type: 'network.refused'; refusals: Array<{ host: string; why: string }> }
  /** The text since the last tool call; `limit` says which limit or loop ended the answer, if one did. */
  | { type: 'answer'; text: string; limit?: string }
  /** There is no answer; the text before the failure or stop stays. */
  | { type: 'failure'; stopped: boolean; reason: string }
);
