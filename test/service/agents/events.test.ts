import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAnswerFeed } from '../../../activities/model/answer-feed.ts';
import { followRun } from '../../../client/agent-runs/follow-run.ts';
import type { RunEvent } from '../../../client/agent-runs/run-handle.ts';
import { createDatabaseAccess, type DatabaseAccess } from '../../../client/connection/database-access.ts';
import { createAgentRun } from '../../../db/agent-runs/agent-runs.ts';
import { endAgentRun } from '../../../db/agent-runs/attempts.ts';
import { watchChannel } from '../../../db/bus/answer-messages.ts';
import { createEventBus } from '../../../db/bus/create-event-bus.ts';
import { retryUntilAvailable } from '../../../db/connection/retry-until-available.ts';
import { addEvents } from '../../../db/events/add-to-owner.ts';
import { defaultAgentRunLimits } from '../../../domain/agent-run/run-request.ts';
import type { EventBusSettings } from '../../../domain/event-bus-settings.ts';
import { type OwnPostgres, startOwnPostgres } from '../../support/servers/own-postgres.ts';
import { startRedis } from '../../support/servers/start-redis.ts';

let postgres: OwnPostgres;
let access: DatabaseAccess;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  access = createDatabaseAccess(postgres.url);
});
afterAll(async () => {
  await access?.close();
  await postgres?.stop();
});

/** A run at work, and what the process of its agent does. */
async function beginRun(id: string, settings: EventBusSettings = { bus: 'postgres' }) {
  await createAgentRun(postgres.database, {
    ...{ id, agent: 'told', version: '1', kind: 'coded', queue: 'none', status: 'RUNNING', input: [], metadata: {} },
    ...{ limits: defaultAgentRunLimits, maxRetries: 0, backoffMs: 1000, priority: 3 },
  });
  const bus = createEventBus({ settings, databaseUrl: postgres.url, onTrouble: () => {} });
  const feed = createAnswerFeed(bus, () => {});
  const never = new AbortController().signal;
  return {
    bus,
    async tell(...payloads: number[]) {
      const events = payloads.map((payload) => ({ type: 'number.told', payload }));
      await retryUntilAvailable(never, () => addEvents(postgres.database, { kind: 'run', id }, events));
      feed.tellStored(id);
    },
    async end() {
      await endAgentRun(postgres.database, { runId: id, outcome: { status: 'SUCCEEDED' }, result: { output: 'done' } });
      feed.tellStored(id);
    },
    close: () => bus.close(),
  };
}

/** Keeps the stored events that a watcher is given. */
function watch(from: DatabaseAccess, id: string, after = 0) {
  const events: RunEvent[] = [];
  const waiting = new Set<() => void>();
  const done = (async () => {
    for await (const event of followRun(from, id, { after, live: false })) {
      events.push(event);
      for (const look of waiting) look();
    }
  })();
  return {
    events,
    done,
    until: (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (events.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

const sequencesOf = (events: RunEvent[]) => events.map(({ sequence }) => sequence);
const countTo = (count: number, from = 1) => Array.from({ length: count - from + 1 }, (_, index) => from + index);

/** Milliseconds until a watcher has seen each of `count` events, of which the next comes only then. */
async function timeOneByOne(count: number, id: string, watcher: DatabaseAccess, settings: EventBusSettings) {
  const run = await beginRun(id, settings);
  const told = new Promise<void>((resolve) => run.bus.subscribe(watchChannel, { onPayload: () => resolve() }));
  const { events, until, done } = watch(watcher, id);
  await told;
  await run.tell(0); // from here on the process knows of its watcher
  await until(1);
  const before = performance.now();
  for (const number of countTo(count)) {
    await run.tell(number);
    await until(number + 1);
  }
  const elapsed = performance.now() - before;
  await run.end();
  await done;
  expect(sequencesOf(events)).toEqual(countTo(count + 2));
  await run.close();
  return elapsed;
}

/** Access whose bus tells the workers of the watcher, and the watcher nothing. */
function deafAccess(settings: EventBusSettings): DatabaseAccess {
  const heard = createDatabaseAccess(postgres.url, settings);
  return { ...heard, openBus: () => ({ ...heard.openBus(), subscribe: () => () => {} }) };
}

describe.each<[string, (redis: string) => EventBusSettings]>([
  ['Postgres', () => ({ bus: 'postgres' })],
  ['Redis', (url) => ({ bus: 'redis', url })],
])('with the bus on %s', (name, settingsOf) => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  test('stored events arrive when they are stored, and without the bus when a watcher next looks', async () => {
    const settings = settingsOf(redis.url);
    const [hearing, deaf] = [createDatabaseAccess(postgres.url, settings), deafAccess(settings)];
    const told = await timeOneByOne(30, `told-${name.toLowerCase()}`, hearing, settings);
    const looked = await timeOneByOne(30, `looked-${name.toLowerCase()}`, deaf, settings);
    expect(told).toBeLessThan(looked * 0.7);
    await hearing.close();
    await deaf.close();
  });
});

test('a watcher follows thousands of events, each once and in order, and any place replays', async () => {
  const run = await beginRun('many');
  const { events, until, done } = watch(access, 'many');
  await run.tell(0);
  await until(1);
  const batch = countTo(100);
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      for (let time = 0; time < 50; time += 1) await run.tell(...batch);
    }),
  );
  await until(20_001);
  await run.end();
  await done;
  expect(sequencesOf(events)).toEqual(countTo(20_002));
  for (const after of [0, 1, 999, 1_000, 1_001, 12_345, 20_001, 20_002, 30_000]) {
    const replay = watch(access, 'many', after);
    await replay.done;
    expect(sequencesOf(replay.events)).toEqual(countTo(20_002, after + 1));
  }
  await run.close();
});

test('a watcher misses and doubles nothing while Postgres is killed', async () => {
  const run = await beginRun('killed');
  const { events, until, done } = watch(access, 'killed');
  await run.tell(0);
  await until(1);
  let isOver = false;
  const writing = [1, 2, 3].map(async (writer) => {
    for (let number = 0; !isOver; number += 1) await run.tell(writer * 1_000_000 + number, number);
  });
  for (const _kill of [1, 2]) {
    const count = events.length;
    await until(count + 100);
    postgres.kill();
    await until(count + 300);
  }
  isOver = true;
  await Promise.all(writing);
  await retryUntilAvailable(new AbortController().signal, run.end);
  await done;
  expect(sequencesOf(events)).toEqual(countTo(events.length));
  expect(events.at(-1)?.type).toBe('run.succeeded');
  // What each writer told is in the order in which it told it.
  for (const writer of [1, 2, 3]) {
    const payloads = events.flatMap((event) => ('payload' in event ? [event.payload as number] : []));
    const told = payloads.filter((payload) => Math.floor(payload / 1_000_000) === writer);
    expect(told).toEqual([...told].sort((one, other) => one - other));
  }
  await run.close();
});

test('a watcher is told of an event whose text no table can hold', async () => {
  const run = await beginRun('odd');
  await addEvents(postgres.database, { kind: 'run', id: 'odd' }, [{ type: 'odd.text', payload: 'a\u0000b\ud800' }]);
  await expect(addEvents(postgres.database, { kind: 'run', id: 'none' }, [])).rejects.toMatchObject({
    code: 'UnknownRun',
  });
  await run.end();
  const { events, done } = watch(access, 'odd');
  await done;
  expect(events[0]).toMatchObject({ sequence: 1, type: 'odd.text', payload: 'a\ufffdb\ufffd' });
  await run.close();
});
