import {
  type AliveMessage,
  type AnswerMessage,
  answerChannel,
  type CallMessage,
  type StoredMessage,
  type WatchMessage,
  watchChannel,
  watchPause,
  workerChannel,
} from '../../db/bus/answer-messages.ts';
import type { EventBus } from '../../db/bus/event-bus.ts';
import type { AnswerEvent } from './answer-reader.ts';
import { createAnswerReader } from './answer-reader.ts';

/** Milliseconds between requests for everything; until the answer to one arrives, further messages will not fit either. */
const askPause = 1_000;

export type OnAnswer = (event: AnswerEvent) => void;

/**
 * Streams what the models of a project or chat say to `onAnswer` until the signal aborts, starting with the text so far of answers in progress.
 * Pauses while the bus is unreachable, then continues. `onAlive` is called at each sign of life of a worker, `onStored` when events of a run were stored
 * or may have been. Rejects with whatever `onAnswer` throws.
 */
export async function watchAnswers(
  access: { openBus(): EventBus },
  owner: string,
  onAnswer: OnAnswer,
  { signal, onAlive, onStored }: { signal: AbortSignal; onAlive?: () => void; onStored?: () => void },
): Promise<void> {
  const reader = createAnswerReader();
  const bus = access.openBus();
  let askedAt = 0;
  const announce = (wants: WatchMessage['wants']) => {
    if (wants === 'all') askedAt = performance.now();
    bus.publish(watchChannel, JSON.stringify({ owner, wants } satisfies WatchMessage)).catch(() => {}); // repeated shortly
  };
  const renewing = setInterval(() => announce('news'), watchPause);
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
      bus.subscribe(workerChannel, { onPayload: () => announce('all') });
      bus.subscribe(answerChannel(owner), {
        onOpen: () => {
          announce('all');
          onStored?.();
        },
        onPayload(payload) {
          try {
            const message: AnswerMessage | CallMessage | AliveMessage | StoredMessage = JSON.parse(payload);
            if ('stored' in message) {
              onStored?.();
              return;
            }
            onAlive?.();
            if ('alive' in message) return;
            const { events, missed } = reader.read(message);
            for (const event of events) onAnswer(event);
            if (missed && performance.now() - askedAt > askPause) announce('all');
          } catch (error) {
            reject(error);
          }
        },
      });
    });
  } finally {
    clearInterval(renewing);
    await bus.close();
  }
}
