import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { FilesRequest } from '../../domain/chat/files.ts';
import {
  type MessageRequest,
  maxMessageLength,
  type StopRequest,
  type WakeRequest,
} from '../../domain/chat/messages.ts';
import { failure } from '../failures.ts';

/** Stores a message and starts its answer; for callers that use Temporal only. */
export const messageUpdate = defineUpdate<{ id: string }, [MessageRequest]>('message');
/** Carries out a stored request for files of the chat's sandbox; the answer is stored with it. */
export const filesUpdate = defineUpdate<void, [FilesRequest]>('files');
/** There are stored messages without an answer. */
export const wakeSignal = defineSignal<[WakeRequest?]>('wake');
export const stopSignal = defineSignal<[StopRequest?]>('stop');

/** Refuses an invalid message, since storing it would be retried for a day. */
export function validateMessage(request: MessageRequest): void {
  const { id, text } = request ?? {};
  const isId = typeof id === 'string' && /^\P{Cc}{1,200}$/u.test(id) && id.trim() !== '';
  if (isId && typeof text === 'string' && text.trim() && text.length <= maxMessageLength) return;
  throw failure(
    'InvalidInput',
    `Expected { "id": "<your own>", "text": "<message>" } with an id of 1 to 200 characters on one line and a text of 1 to ${maxMessageLength}, got ${JSON.stringify(request)?.slice(0, 200)}.`,
  );
}
