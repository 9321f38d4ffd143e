import {
  type AnswerMessage,
  answerChannel,
  type WatchMessage,
  watchChannel,
  watchLease,
  workerChannel,
} from '../db/bus/answer-messages.ts';
import type { EventBus } from '../db/bus/event-bus.ts';
import { AnswerStream } from './answer-stream.ts';
import { createLeases } from './leases.ts';

/** Tells watchers what models say while they say it; where nobody watches, nothing is sent. */
export interface AnswerFeed {
  /** For the words of one model call in a project or chat; `end` it. */
  open(call: { owner: string; run: string; turn: number; attempt: number }): AnswerStream;
}

/** A feed over a bus; `onTrouble` hears of what could not be sent, which costs watchers a piece and the call nothing. */
export function createAnswerFeed(bus: EventBus, onTrouble: (trouble: unknown) => void): AnswerFeed {
  const streams = new Map<AnswerStream, string>();
  /** Projects, until the last of their watchers is taken to be gone. */
  const watched = createLeases(watchLease);

  bus.subscribe(watchChannel, {
    onOpen: () => void bus.publish(workerChannel, '').catch(onTrouble),
    onPayload(payload) {
      const message = parse(payload);
      if (!message) return;
      const known = watched.isHeld(message.project);
      watched.renew(message.project);
      if (message.wants === 'news' && known) return;
      for (const [stream, project] of streams) if (project === message.project) stream.sendAll();
    },
  });

  function parse(payload: string): WatchMessage | undefined {
    try {
      return JSON.parse(payload);
    } catch (error) {
      onTrouble(error); // not one of ours
      return undefined;
    }
  }

  async function send(project: string, message: AnswerMessage): Promise<void> {
    try {
      await bus.publish(answerChannel(project), JSON.stringify(message));
    } catch (error) {
      watched.end(project); // until a watcher says again that it is there
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
