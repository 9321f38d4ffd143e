import { findChat } from '../../db/chats/chats.ts';
import { findExchange } from '../../db/chats/find-exchange.ts';
import { DatabaseError } from '../../db/database-error.ts';
import { readChatEvents } from '../../db/events/read-events.ts';
import { findAnswer } from '../../db/transcript/transcript.ts';
import type { ChatEvent } from '../../domain/run/event.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { AnswerEvent } from '../events/answer-reader.ts';
import { poll, type WatchOptions } from '../events/poll.ts';
import { watchAnswers } from '../events/watch-answers.ts';
import type { ChatStreamEvent } from './chat-handle.ts';
import { createSaying } from './saying.ts';
import { createPresence } from './worker-presence.ts';

/** Milliseconds between two queries while nothing is streamed. */
const lookPause = 150;
/** Milliseconds without an event before checking that the chat still exists. */
const silence = 3_000;

/**
 * Yields what happens in a chat after the event numbered `after`, until the signal aborts. Stored events come once and in order; streamed text comes
 * between them and is completed from them.
 * @throws {DatabaseError} `UnknownChat` within seconds if the chat is deleted.
 */
export async function* watchChat(
  database: DatabaseAccess,
  chatId: string,
  { after, ...options }: WatchOptions & { after: number },
): AsyncGenerator<ChatStreamEvent, void> {
  const leaving = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal;
  const heard: AnswerEvent[] = [];
  const presence = createPresence();
  let wake = () => {};
  let trouble: unknown;
  const listening = watchAnswers(
    database,
    chatId,
    (event) => {
      heard.push(event);
      wake();
    },
    { signal, onAlive: () => presence.heard() },
  ).catch((error: unknown) => {
    trouble = error;
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  const saying = createSaying();
  let last = after;
  /** When the chat was last known to exist, in milliseconds of `performance.now()`. */
  let seenAt = performance.now();

  async function look(): Promise<ChatEvent[]> {
    const events = await database.use((query) => readChatEvents(query, chatId, { after: last }));
    if (!events.length && performance.now() - seenAt < silence) return [];
    if (!events.length && !(await database.use((query) => findChat(query, chatId)))) {
      throw new DatabaseError(
        'UnknownChat',
        `The conversation "${chatId}" was deleted. \`longhaul chats list\` shows all.`,
      );
    }
    seenAt = performance.now();
    return events;
  }
  async function complete(event: ChatEvent): Promise<ChatStreamEvent[]> {
    const { data } = event;
    if (data.type === 'assistant.message') {
      const stored = await database.use((query) => findAnswer(query, data.run, data.turn));
      return saying.turnCompleted(data, stored?.content.text ?? '');
    }
    if (data.type === 'message.received') {
      const stored = await database.use((query) => findExchange(query, chatId, data.exchange));
      return saying.stored({ ...data, text: stored?.text ?? data.text });
    }
    return saying.stored(data);
  }

  function* shown(events: ChatStreamEvent[]): Generator<ChatStreamEvent> {
    for (const event of events) {
      presence.see(event);
      yield event;
    }
  }

  try {
    while (!signal.aborted) {
      const said = heard.splice(0);
      // Stored events come first: they are older than the text just streamed.
      for (const event of (await poll(look, { ...options, signal })) ?? []) {
        last = event.number;
        yield* shown((await poll(() => complete(event), { ...options, signal })) ?? []);
      }
      for (const event of said) yield* shown(saying.said(event));
      yield* presence.changes();
      if (trouble) throw trouble;
      if (heard.length || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookPause);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    leaving.abort();
    await listening;
  }
}
