import { alivePause } from '../../db/bus/answer-messages.ts';
import type { ChatStreamEvent } from './chat-handle.ts';

/** Notices that no worker reports on an answer that one should be working on. */
export interface WorkerPresence {
  /** A worker reported. */
  heard(): void;
  see(event: ChatStreamEvent): void;
  /** What has changed since the last call. */
  changes(): ChatStreamEvent[];
}

/** Milliseconds without a sign of life, of which two were due. */
const maxQuiet = 2.5 * alivePause;
/** Milliseconds until an answer begins: a worker looks for memories first, and gives no sign meanwhile. */
const maxWait = 4 * alivePause;

export function createPresence(now: () => number = () => performance.now()): WorkerPresence {
  /** The message being answered, or waiting for its answer to begin. */
  let message: string | undefined;
  let quiet = maxQuiet;
  /** The model did not answer and is asked again after a pause, in which nobody has to report. */
  let rests = false;
  let heardAt = 0;
  let isSilent = false;

  return {
    heard() {
      heardAt = now();
    },
    see(event) {
      heardAt = now();
      rests = event.type === 'answer-delayed';
      if (event.type === 'message.received' && message === undefined) {
        message = event.message;
        quiet = maxWait;
      }
      if (event.type === 'answer.started') {
        message = event.message;
        quiet = maxQuiet;
      }
      if (event.message !== message || (event.type !== 'answer' && event.type !== 'failure')) return;
      message = undefined;
      isSilent = false;
    },
    changes() {
      if (message === undefined) return [];
      const isNow = !rests && now() - heardAt > quiet;
      if (isNow === isSilent) return [];
      isSilent = isNow;
      return [{ type: isNow ? 'worker-silent' : 'worker-back', message }];
    },
  };
}
