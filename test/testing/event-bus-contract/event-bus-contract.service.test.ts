import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { createMemoryEventBus, createMemoryHub } from '../../../db/bus/memory-event-bus.ts';
import { createPostgresEventBus } from '../../../db/bus/postgres-event-bus.ts';
import { createRedisEventBus } from '../../../db/bus/redis-event-bus.ts';
import { type EventBusContractHost, eventBusContract } from '../../../testing/event-bus-contract/event-bus-contract.ts';
import { type OwnPostgres, startOwnPostgres } from '../../support/servers/own-postgres.ts';
import { startRedis, type TestRedis } from '../../support/servers/start-redis.ts';

const onTrouble = () => {};

describe('the bus in memory', () => {
  const hub = createMemoryHub();
  holds(() => ({ open: () => createMemoryEventBus(hub) }));
});

describe('the bus on Postgres', () => {
  let postgres: OwnPostgres;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
  });
  afterAll(() => postgres?.stop());
  holds(() => ({
    open: () => createPostgresEventBus({ url: postgres.url, onTrouble }),
    interrupt: async () => postgres.kill(), // its stack starts it again
  }));
});

describe('the bus on Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  holds(() => ({
    open: () => createRedisEventBus({ url: redis.url, onTrouble }),
    interrupt: () => redis.restart(),
  }));
});

function holds(host: () => EventBusContractHost): void {
  test.each(eventBusContract)('$title', ({ run }) => run(host()));
}
