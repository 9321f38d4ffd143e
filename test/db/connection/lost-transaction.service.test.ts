import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { nameFailure } from '../../../activities/name-failure.ts';
import type { Queryable } from '../../../db/connection/database.ts';
import { retryUntilAvailable } from '../../../db/connection/retry-until-available.ts';
import { ownPostgresOfFile } from '../../support/servers/own-postgres.ts';

const postgres = await ownPostgresOfFile();

const one = (query: Queryable) => query.execute(sql`select 1 as one`);
const long = (query: Queryable) => query.execute(sql`select pg_sleep(60)`);

/** How Postgres may end while a transaction waits for it. */
const losses: Array<[how: string, work: (query: Queryable) => Promise<unknown>]> = [
  [
    'the server is killed during a query',
    async (query) => {
      await one(query);
      const asked = long(query);
      setTimeout(postgres.kill, 200);
      await asked;
    },
  ],
  [
    'the server is killed during queries side by side',
    async (query) => {
      setTimeout(postgres.kill, 200);
      await Promise.all([one(query), long(query), one(query)]);
    },
  ],
  [
    'the session is ended during a query',
    async (query) => {
      const [session] = await query.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      const asked = long(query);
      const end = sql`select pg_terminate_backend(${session?.pid})`;
      setTimeout(() => void postgres.database.execute(end).catch(() => {}), 200);
      await asked;
    },
  ],
];

test.each(losses)('a transaction ends with an error if %s', async (_, work) => {
  const { database } = postgres;
  await Promise.all([one(database), one(database), one(database)]); // connections that are idle when it happens
  const started = Date.now();
  const failure = await database.transaction(work).then(() => undefined, nameFailure);
  expect(Date.now() - started).toBeLessThan(9_000);
  expect(failure).toMatchObject({ type: 'DatabaseUnavailable', nonRetryable: false });
  await sleep(500); // what the driver still sends would end the process
  const again = () => database.transaction((query) => one(query));
  expect([...(await retryUntilAvailable(new AbortController().signal, again))]).toEqual([{ one: 1 }]);
  expect(Date.now() - started).toBeLessThan(30_000);
});
