import {
  type AnswerMessage,
  answerChannel,
  type WatchMessage,
  watchChannel,
  watchLease,
  workerChannel,
} from '../../db/bus/answer-messages.ts';
import type { EventBus } from '../../db/bus/event-bus.ts';
import { AnswerStream } from './answer-stream.ts';
import { createLeases } from './leases.ts';

/** Streams models' output to watchers while it is generated; sends nothing while nobody watches. */
export interface AnswerFeed {
  /** Opens a stream for the output of one model call in a project or chat; the caller must `end` it. */
  open(call: { owner: string; run: string; turn: number; attempt: number }): AnswerStream;
}

/** Creates a feed over a bus. `onTrouble` is given errors of sending and reading; they cost a watcher a piece but do not affect the model call. */
export function createAnswerFeed(bus: EventBus, onTrouble: (trouble: unknown) => void): AnswerFeed {
  const streams = new Map<AnswerStream, string>();
  /** Watched projects and chats, until the last of their watchers is presumed gone. */
  const watched = createLeases(watchLease);

  bus.subscribe(watchChannel, {
    onOpen: () => void bus.publish(workerChannel, '').catch(onTrouble),
    onPayload(payload) {
      const message = parse(payload);
      if (!message) return;
      const known = watched.isHeld(message.owner);
      watched.renew(message.owner);
      if (message.wants === 'news' && known) return;
      for (const [stream, owner] of streams) if (owner === message.owner) stream.sendAll();
    },
  });

  function parse(payload: string): WatchMessage | undefined {
    try {
      return JSON.parse(payload);
    } catch (error) {
      onTrouble(error); // not one of our messages
      return undefined;
    }
  }

  async function send(owner: string, message: AnswerMessage): Promise<void> {
    try {
      await bus.publish(answerChannel(owner), JSON.stringify(message));
    } catch (error) {
      watched.end(owner); // until a watcher reports again
      onTrouble(error);
    }
  }

  return {
    open({ owner, ...call }) {
      const stream = new AnswerStream(call, {
        isWatched: () => watched.isHeld(owner),
        send: (message) => send(owner, message),
        onEnd: () => streams.delete(stream),
      });
      streams.set(stream, owner);
      return stream;
    },
  };
}
