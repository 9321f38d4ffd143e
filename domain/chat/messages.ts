import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { failure } from '../../workflows/failures.ts';
import { longestMessage } from './max-message-length.ts';

/** What `chatWorkflow` takes. */
export interface ChatInput {
  chatId: string;
  /** Messages that were stopped before their answer began. */
  stopped?: string[];
  /** Messages that are not to wait for others, the latest first. */
  urgent?: string[];
  /** Messages whose answers were begun, the latest last. */
  answered?: string[];
  /** Tools were used that may have opened its sandbox. */
  sandbox?: boolean;
  /** The chat was deleted: what it kept outside of the database goes too. */
  discard?: boolean;
  /** It was paused before it continued as new. */
  paused?: boolean;
}

export interface MessageRequest {
  /** Of the message, chosen by who sends it, so that sending it again says nothing twice. */
  id: string;
  /** What the person says; in history, so the client stores it itself and only wakes the chat. */
  text: string;
}

export interface WakeRequest {
  /** A message that is stored and not to wait: the answer that is being given is stopped, and it comes before those that wait. */
  now?: string;
  /** A message was said, or the person wants to go on, so that a pause ends. */
  goesOn?: true;
}

export interface StopRequest {
  /** The message whose answer is to be stopped, also before it begins; the one that is being answered, or about to be, where absent. */
  message?: string;
}

/** Stores a message and has it answered; for those who come by way of Temporal alone. */
export const messageUpdate = defineUpdate<{ id: string }, [MessageRequest]>('message');
/** Messages are stored that wait for their answer. */
export const wakeSignal = defineSignal<[WakeRequest?]>('wake');
export const stopSignal = defineSignal<[StopRequest?]>('stop');

/** Refuses a message that could not be stored, since storing it would be retried for a day. */
export function validateMessage(request: MessageRequest): void {
  const { id, text } = request ?? {};
  const isId = typeof id === 'string' && /^\P{Cc}{1,200}$/u.test(id) && id.trim() !== '';
  if (isId && typeof text === 'string' && text.trim() && text.length <= longestMessage) return;
  throw failure(
    'InvalidInput',
    `Expected { "id": "<your own>", "text": "<message>" } with an id of 1 to 200 characters on one line and a text of 1 to ${longestMessage}, got ${JSON.stringify(request)?.slice(0, 200)}.`,
  );
}
