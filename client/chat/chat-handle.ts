import type { ChatBranch } from '../../db/chats/branches.ts';
import type { ChatExchange, HistoryPart } from '../../db/chats/read-history.ts';
import type { UsageSum } from '../../db/ledger/sum-usage.ts';
import type { Trouble } from '../events/poll.ts';
import type { ChatStreamEvent } from './chat-event.ts';

export interface SayOptions {
  /** Of the message; the same id says the same message once. */
  id?: string | undefined;
  /** Stop the answer that is being given rather than wait for it. */
  now?: boolean | undefined;
  /**
   * The id of an earlier message, in whose place it is said: a branch begins there, and what was said since stays in the old one. Not
   * while something is being answered.
   */
  instead?: string | undefined;
}

export interface WatchChatOptions {
  signal?: AbortSignal | undefined;
  /** Hears once that the database went away, and with undefined that it is back. */
  onTrouble?: ((trouble: Trouble | undefined) => void) | undefined;
}

/** One conversation. It is stored with its first message; until then it has a name at most. */
export interface ChatHandle {
  /** Undefined until its first message where it was not named. */
  readonly name: string | undefined;
  /** Undefined until its first message. */
  readonly id: string | undefined;
  /** False where it leaves no trace beyond its transcript: nothing is recalled, remembered or noted. */
  readonly memory: boolean;
  /**
   * Says something, and gives what comes of it until the answer is whole or there is none; it is stored at once, whether or not it is
   * looked at. Leaving the loop does not stop the answer. Servers that are away are waited for, once it is stored.
   * @throws {MessageUnusableError | BranchError}
   */
  send(text: string, options?: SayOptions & WatchChatOptions): AsyncIterable<ChatStreamEvent>;
  /**
   * Stores a message and has it answered, without waiting; returns its id.
   * @throws {MessageWaitsError} where it is stored and Temporal is away: `wake` has it answered.
   */
  say(text: string, options?: SayOptions): Promise<string>;
  /** What happens from now on, or since the first message that has no answer yet, whoever says it; ends with the signal. */
  watch(options?: WatchChatOptions & { from?: 'now' | 'open' }): AsyncIterable<ChatStreamEvent>;
  /** Stops the answer to a message, or the one that is being given. Where all are answered it stops nothing, nor the answer to what is said next. */
  stop(message?: string): Promise<void>;
  /**
   * Begins nothing new until a resume or the next message; the call that is in flight finishes and is kept. False where nothing is at work.
   */
  pause(): Promise<boolean>;
  /** Ends a pause. */
  resume(): Promise<void>;
  /** Has messages answered that were stored while Temporal could not be reached; waits for it. */
  wake(options?: WatchChatOptions): Promise<void>;
  /**
   * What was said in a branch, in order; in the current one where none is named. With `last` that many exchanges, the latest ones, for
   * which the rest of a long conversation is not read.
   * @throws {BranchError} where there is none of the name.
   */
  history(options?: HistoryPart): Promise<ChatExchange[]>;
  /** In the order in which they began. */
  branches(): Promise<ChatBranch[]>;
  /**
   * A new conversation that begins with all that was said in this one; under a name made of this one's where none is given. It has a
   * sandbox of its own, which is empty, and nothing that was noted for this one alone; its agent is told so.
   * @throws {BranchError} while something is being answered, or where nothing was said; {ChatNameError}.
   */
  fork(name?: string): Promise<ChatHandle>;
  /** What its calls of models used. */
  usage(): Promise<UsageSum>;
  /** The models it asks from the next message on, tried in order, by commas; null for those of the role `chat`. @throws {InvalidInputError} where that names none. */
  setModel(model: string | null): Promise<void>;
  /** The models that its next message is put to, tried in order, by commas; as the settings of this process have them. */
  models(): Promise<string>;
  /**
   * An agent of one's own, by its name or folder, answers from the next message on. Its folder is read again before each message.
   * @throws {AgentFileError | InvalidInputError | MadeToolRefusedError}
   */
  setAgent(reference: string): Promise<void>;
  /** What its agent can do from the next message on, as its model is told then. */
  tools(): Promise<Array<{ name: string; description: string }>>;
  /** @throws {ChatNameError} where another one has the name. */
  rename(name: string): Promise<void>;
  /** Stops its answer and removes it with all that was said. */
  delete(): Promise<void>;
}
