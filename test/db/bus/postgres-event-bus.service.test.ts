import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPostgresEventBus } from '../../../db/bus/postgres-event-bus.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { waitFor } from '../../support/wait-for.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.stop());

const sockets = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;

test('a bus that is closed while it opens would leave a socket that keeps the process alive', async () => {
  await waitFor('the sockets of before to be gone', 120_000, () => sockets() === 0);
  for (let index = 0; index < 40; index += 1) {
    const bus = createPostgresEventBus({ url: database.url, onTrouble: () => {} });
    bus.subscribe('longhaul_test', {
      onPayload() {},
      onOpen: () => void bus.publish('longhaul_test', 'x').catch(() => {}), // closed in the meantime
    });
    await sleep(index);
    await bus.close();
  }
  await waitFor('the sockets to be gone', 120_000, () => sockets() === 0);
  expect(sockets()).toBe(0);
});
