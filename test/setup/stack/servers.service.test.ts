import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import postgres from 'postgres';
import { prepareTemporal } from '../../../setup/cluster/prepare-temporal.ts';
import { prepareHome } from '../../../setup/prepare-home.ts';
import { performStep } from '../../../setup/setup-step.ts';
import { createPostgresService } from '../../../setup/stack/services/postgres-service.ts';
import { createTemporalService } from '../../../setup/stack/services/temporal-service.ts';
import { type Stack, supervise } from '../../../setup/stack/supervisor/supervise.ts';
import { postgresStep } from '../../../setup/steps/postgres.ts';
import { waitFor } from '../../support/wait-for.ts';
import { findTemporalCli, makeContext } from '../test-configuration.ts';
import { recordOf, watchEvents } from './tiny-service.ts';

const { context, configuration, remove } = makeContext();
const { home } = configuration;
const watch = watchEvents();
let stack: Stack;

beforeAll(async () => {
  prepareHome(home);
  stack = await start();
});
afterAll(async () => {
  await stack?.stop();
  remove();
});

async function start(): Promise<Stack> {
  const environment = { PATH: process.env.PATH ?? '' };
  const installation = await performStep(postgresStep, context);
  const cli = await findTemporalCli();
  const services = [
    createPostgresService(installation, environment),
    createTemporalService({ cli, home, namespace: 'default', environment }),
  ];
  return supervise({ home, services, elsewhere: {}, onEvent: watch.onEvent });
}

async function query<Row>(sql: (connection: postgres.Sql) => Promise<Row>): Promise<Row> {
  const connection = postgres(stack.addresses.database as string, { max: 1, onnotice: () => {} });
  try {
    return await sql(connection);
  } finally {
    await connection.end({ timeout: 1 });
  }
}

const readyTimes = (service: string) => (event: { type: string; service?: string }) =>
  event.type === 'service-ready' && event.service === service;

test('the database has its tables', async () => {
  const tables = await query(
    (sql) => sql`select table_name from information_schema.tables where table_schema = 'public'`,
  );
  expect(tables.map(({ table_name: name }) => name)).toContain('projects');
});

test('Postgres accepts only this machine, with a password', async () => {
  const [row] = await query((sql) => sql`show listen_addresses`);
  expect(row).toEqual({ listen_addresses: '127.0.0.1' });
  const url = new URL(stack.addresses.database as string);
  url.password = 'guessed';
  const intruder = postgres(url.href, { max: 1 });
  await expect(intruder`select 1`).rejects.toThrow(/password authentication failed/);
  await intruder.end();
});

test('what workers connect as owns the database and can do nothing else', async () => {
  const [role] = await query(
    (sql) =>
      sql`select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
  );
  expect(new Set(Object.values(role ?? {}))).toEqual(new Set([false]));
  await expect(query((sql) => sql`copy projects to program 'cat >/dev/null'`)).rejects.toThrow(/permission denied/);
  await expect(query((sql) => sql`select pg_read_file('postgresql.conf')`)).rejects.toThrow(/permission denied/);
  const url = Object.assign(new URL(stack.addresses.database as string), { pathname: '/postgres' }).href;
  const elsewhere = postgres(url, { max: 1 });
  await expect(elsewhere`select 1`).rejects.toThrow(/permission denied for database/);
  await elsewhere.end();
});

test('Temporal and its UI accept only this machine', async () => {
  const { port, ui } = recordOf(home, 'temporal').ports;
  // What listens on every address has this one too.
  for (const one of [port, ui]) {
    await expect(fetch(`http://127.0.0.2:${one}`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  }
});

test('Postgres killed at work loses nothing and comes back', async () => {
  await query((sql) => sql`create table kept as select 42 as answer`);
  const busy = query((sql) => sql`select pg_sleep(60)`);
  busy.catch(() => {}); // its server is killed below
  const isBusy = (sql: postgres.Sql) =>
    sql`select pid from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`;
  await waitFor('the work to begin', async () => (await query(isBusy)).length > 0);
  process.kill(recordOf(home, 'postgres').pid as number, 'SIGKILL');
  await watch.until(readyTimes('postgres'), 2);
  expect(await query((sql) => sql`select answer from kept`)).toEqual([{ answer: 42 }]);
  await expect(busy).rejects.toThrow();
});

test('Temporal killed forgets nothing', async () => {
  const connect = () => Connection.connect({ address: stack.addresses.temporal as string });
  const before = await connect();
  await prepareTemporal(before, 'kept');
  await before.close();
  process.kill(recordOf(home, 'temporal').pid as number, 'SIGKILL');
  await watch.until(readyTimes('temporal'), 2);
  const after = await connect();
  expect(await prepareTemporal(after, 'kept')).toEqual({ added: [] });
  await after.close();
});

test('a restarted stack has its data and ports again', async () => {
  const { addresses } = stack;
  const since = performance.now();
  await stack.stop();
  expect(performance.now() - since).toBeLessThan(20_000);
  stack = await start();
  expect(stack.addresses).toEqual(addresses);
  expect(await query((sql) => sql`select answer from kept`)).toEqual([{ answer: 42 }]);
});

test('Temporal has the search attributes and a fast poll', async () => {
  const connection = await Connection.connect({ address: stack.addresses.temporal as string });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
  expect(Object.keys(customAttributes ?? {})).toEqual(
    expect.arrayContaining(['LonghaulProject', 'LonghaulStatus', 'LonghaulFeature', 'LonghaulChat']),
  );
  await connection.close();
});
