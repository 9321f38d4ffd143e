import {
  type AliveMessage,
  type AnswerMessage,
  alivePause,
  answerChannel,
  type CallMessage,
  type StoredMessage,
  type WatchMessage,
  watchChannel,
  watchLease,
  workerChannel,
} from '../../db/bus/answer-messages.ts';
import type { EventBus } from '../../db/bus/event-bus.ts';
import { scrub } from '../../domain/secrets/scrub.ts';
import { AnswerStream } from './answer-stream.ts';

/** Streams models' output to watchers while it is generated; sends nothing while nobody watches. */
export interface AnswerFeed {
  /** Opens a stream for the output of one model call in a project or chat; the caller must `end` it. */
  open(call: { owner: string; run: string; turn: number; attempt: number }): AnswerStream;
  /** Sends signs of life while the work for a project or chat goes on. */
  attend<Result>(owner: string, work: () => Promise<Result>): Promise<Result>;
  /** Whether anyone watches a project or chat. */
  isWatched(owner: string): boolean;
  /** Says that events of a run were stored; those who watch it read them then. Calls that come while one is being sent are sent as one. */
  tellStored(owner: string): void;
  /** Sends the last line that a running call has written. */
  sendLine(owner: string, message: CallMessage): void;
}

/** Creates a feed over a bus. `onFailure` is given errors of sending and reading; they cost a watcher a piece but do not affect the model call. */
export function createAnswerFeed(bus: EventBus, onFailure: (error: unknown) => void): AnswerFeed {
  const streams = new Map<AnswerStream, string>();
  /** When the last watcher of a project or chat is presumed gone, in milliseconds since 1970. */
  const watchedUntil = new Map<string, number>();
  /** Who is being told of stored events, and whether more were stored meanwhile. */
  const telling = new Map<string, boolean>();
  const isWatched = (owner: string) => (watchedUntil.get(owner) ?? 0) > Date.now();

  bus.subscribe(watchChannel, {
    onOpen: () => void bus.publish(workerChannel, '').catch(onFailure),
    onPayload(payload) {
      const message = parse(payload);
      if (!message) return;
      const known = isWatched(message.owner);
      for (const owner of watchedUntil.keys()) if (!isWatched(owner)) watchedUntil.delete(owner);
      watchedUntil.set(message.owner, Date.now() + watchLease);
      if (message.wants === 'news' && known) return;
      for (const [stream, owner] of streams) if (owner === message.owner) stream.sendAll();
    },
  });

  function parse(payload: string): WatchMessage | undefined {
    try {
      return JSON.parse(payload);
    } catch (error) {
      onFailure(error); // not one of our messages
      return undefined;
    }
  }

  async function send(
    owner: string,
    message: AnswerMessage | CallMessage | AliveMessage | StoredMessage,
  ): Promise<void> {
    try {
      await bus.publish(answerChannel(owner), JSON.stringify(message));
    } catch (error) {
      watchedUntil.delete(owner); // until a watcher reports again
      onFailure(error);
    }
  }

  async function tellStored(owner: string): Promise<void> {
    if (!isWatched(owner)) return;
    if (telling.has(owner)) return void telling.set(owner, true);
    telling.set(owner, false);
    await send(owner, { stored: true });
    const isMore = telling.get(owner);
    telling.delete(owner);
    if (isMore) await tellStored(owner);
  }

  return {
    open({ owner, ...call }) {
      const stream = new AnswerStream(call, {
        isWatched: () => isWatched(owner),
        send: (message) => send(owner, message),
        onEnd: () => streams.delete(stream),
      });
      streams.set(stream, owner);
      return stream;
    },
    async attend(owner, work) {
      const sign = () => {
        if (isWatched(owner)) void send(owner, { alive: true });
      };
      const signs = setInterval(sign, alivePause);
      sign();
      try {
        return await work();
      } finally {
        clearInterval(signs);
      }
    },
    isWatched,
    tellStored: (owner) => void tellStored(owner),
    sendLine: (owner, { call, line }) => void send(owner, { call, line: scrub(line) }),
  };
}
