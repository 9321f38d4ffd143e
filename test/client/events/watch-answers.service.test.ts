import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import postgres from 'postgres';
import { type AnswerFeed, createAnswerFeed } from '../../../activities/model/answer-feed.ts';
import { type AnswerEvent, createAnswerReader } from '../../../client/events/answer-reader.ts';
import { watchAnswers } from '../../../client/events/watch-answers.ts';
import { answerChannel, type WatchMessage, watchChannel } from '../../../db/bus/answer-messages.ts';
import type { EventBus } from '../../../db/bus/event-bus.ts';
import { createPostgresEventBus } from '../../../db/bus/postgres-event-bus.ts';
import { type OwnPostgres, startOwnPostgres } from '../../support/servers/own-postgres.ts';
import { waitFor } from '../../support/wait-for.ts';

const call = { owner: 'project-spend-aaaaaa', run: 'project-spend-aaaaaa-s1-work', turn: 3, attempt: 1 };
const text = (piece: string) => ({ type: 'text' as const, text: piece });

let database: OwnPostgres;
let bus: EventBus;
let feed: AnswerFeed;
let leaving: AbortController;
let watching: Array<Promise<void>>;

beforeAll(async () => {
  database = await startOwnPostgres();
});
afterAll(() => database?.stop());

beforeEach(async () => {
  leaving = new AbortController();
  watching = [];
  bus = createPostgresEventBus({ url: database.url, onTrouble: () => {} });
  feed = createAnswerFeed(bus, () => {});
  // The worker subscribes before any watcher comes.
  await new Promise<void>((resolve) => bus.subscribe(watchChannel, { onPayload: () => {}, onOpen: resolve }));
});
afterEach(async () => {
  leaving.abort();
  await Promise.all(watching);
  await bus.close();
});

const access = { openBus: () => createPostgresEventBus({ url: database.url, onTrouble: () => {} }) };

/** The events that a watcher received; `said` joins the text deltas since the latest `answer.asked`. */
function watch(): { events: AnswerEvent[]; said(): string } {
  const events: AnswerEvent[] = [];
  watching.push(watchAnswers(access, call.owner, (event) => void events.push(event), { signal: leaving.signal }));
  return {
    events,
    said() {
      const from = events.findLastIndex(({ type }) => type === 'answer.asked');
      return events
        .slice(from)
        .map((event) => (event.type === 'answer.delta' && event.delta.type === 'text' ? event.delta.text : ''))
        .join('');
    },
  };
}

const until = (what: string, check: () => boolean) => waitFor(what, check);

test('turns from a machine with a slow clock are shown', () => {
  const reader = createAnswerReader();
  const heard = (turn: number, attempt: number, askedAt: number) => {
    const message = { run: call.run, turn, attempt, askedAt, from: 0, deltas: [text(`${turn}.${attempt}`)] };
    return reader.read(message).events.length > 0;
  };
  expect(heard(1, 1, 9_000)).toBe(true);
  expect(heard(2, 1, 4_000)).toBe(true); // by the machine whose clock is behind
  expect(heard(1, 1, 9_000)).toBe(false);
  expect(heard(3, 1, 9_500)).toBe(true);
  expect(heard(3, 2, 4_500)).toBe(true); // retried by that machine
  expect(heard(3, 1, 4_400)).toBe(false);
  expect(heard(3, 1, 4_600)).toBe(true); // asked once more, after a pause
});

test('a late watcher gets what was said before', async () => {
  const stream = feed.open(call);
  stream.begin();
  stream.add({ type: 'reasoning', text: 'Hm. ' });
  stream.add(text('Once upon '));
  const { events, said } = watch();
  await until('what was said before', () => said() === 'Once upon ');
  stream.add(text('a time'));
  await until('what comes', () => said() === 'Once upon a time');
  stream.end('answered');
  await until('the end', () => events.at(-1)?.type === 'answer.ended');
  expect(events.map(({ type }) => type)).toEqual([
    'answer.asked',
    'answer.delta',
    'answer.delta',
    'answer.delta',
    'answer.ended',
  ]);
  expect(events[1]).toMatchObject({ run: call.run, turn: 3, delta: { type: 'reasoning', text: 'Hm. ' } });
});

test('a second watcher doubles nothing and misses nothing', async () => {
  const stream = feed.open(call);
  stream.begin();
  stream.add(text('a'.repeat(30_000))); // several messages
  const first = watch();
  await until('all of it at the first', () => first.said().length === 30_000);
  const second = watch();
  stream.add(text('b'));
  await until('all of it at the second', () => second.said().length === 30_001);
  await until('the last piece at the first', () => first.said().length >= 30_001);
  expect(first.said()).toBe(`${'a'.repeat(30_000)}b`);
  expect(second.said()).toBe(first.said());
  stream.end('answered');
});

test('a repeated model call replaces the text of the failed one', async () => {
  const { events, said } = watch();
  const failing = feed.open(call);
  failing.begin();
  await until('the first call', () => events.length > 0);
  failing.add(text('Half of it'));
  failing.end('failed');
  const again = feed.open({ ...call, attempt: 2 });
  again.begin();
  again.add(text('All '));
  again.begin('openai/other did not answer');
  again.add(text('All of it'));
  await until('the text of the last', () => said() === 'All of it');
  again.end('answered');
  expect(events.filter(({ type }) => type === 'answer.asked')).toMatchObject([
    { attempt: 1 },
    { attempt: 2 },
    { attempt: 2, why: 'openai/other did not answer' },
  ]);
});

test('live output costs no messages without a watcher, and at most ten a second with one', async () => {
  const listener = postgres(database.url, { max: 1 });
  let messages = 0;
  await listener.listen(answerChannel(call.owner), () => {
    messages += 1;
  });
  async function speak() {
    const stream = feed.open(call);
    stream.begin();
    for (let piece = 0; piece < 100; piece += 1) {
      stream.add(text('word '));
      await sleep(10);
    }
    return stream;
  }
  (await speak()).end('answered');
  await sleep(200);
  expect(messages).toBe(0);

  const told = new Promise<void>((resolve) => bus.subscribe(watchChannel, { onPayload: () => resolve() }));
  const { said } = watch();
  await told;
  messages = 0;
  const before = Date.now();
  const stream = await speak();
  await until('all of it', () => said().length === 500);
  expect(messages).toBeLessThan(4 + (Date.now() - before) / 100);
  expect(messages).toBeGreaterThan(3);
  stream.end('answered');
  await listener.end();
});

test('names and text that Postgres cannot store do not end the worker', async () => {
  const { events, said } = watch();
  const stream = feed.open(call);
  stream.begin('x'.repeat(10_000));
  await until('the beginning', () => events.length > 0);
  const wild = `\u0000\ud83d${'😀'.repeat(5_000)}\u0007`.repeat(3);
  stream.add({ type: 'tool-call', index: 0, name: 'n'.repeat(9_000), arguments: '' });
  stream.add(text(wild));
  await until('the text', () => said().length === wild.length);
  expect(said()).toBe(wild);
  await bus.publish(watchChannel, 'not of ours');
  stream.add(text('!'));
  await until('what follows', () => said().endsWith('!'));
  stream.end('answered');
});

test('a worker sends its very first answer', async () => {
  const told = new Promise<void>((resolve) => bus.subscribe(watchChannel, { onPayload: () => resolve() }));
  const { events } = watch();
  await told;
  const later = createPostgresEventBus({ url: database.url, onTrouble: () => {} });
  const ofLater = createAnswerFeed(later, () => {});
  let answered = false;
  later.subscribe(watchChannel, {
    onPayload(payload) {
      // Otherwise the watcher's message every two seconds asks only for what is new.
      answered ||= (JSON.parse(payload) as WatchMessage).wants === 'all';
    },
  });
  await until('the watcher to tell that it is there', () => answered);
  const stream = ofLater.open(call);
  stream.begin();
  stream.add(text('Quick.'));
  stream.end('answered');
  await until('all of it', () => events.length === 3);
  expect(events.map(({ type }) => type)).toEqual(['answer.asked', 'answer.delta', 'answer.ended']);
  await later.close();
});

test('watcher and worker reconnect after Postgres was killed', async () => {
  const { said } = watch();
  const stream = feed.open(call);
  stream.begin();
  stream.add(text('before '));
  await until('what was said before', () => said() === 'before ');
  database.kill();
  stream.add(text('meanwhile '));
  await sleep(300);
  stream.add(text('after'));
  await waitFor('all of it', () => said() === 'before meanwhile after');
  stream.end('answered');
});
