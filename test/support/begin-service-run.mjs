import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import beginRun from './begin-run.mjs';
import { recordHistories } from './record-histories.mjs';
import { startTemporal } from './servers/start-temporal.mjs';

/** The database that every test database is copied from; see test-database.ts. */
const template = 'longhaul_template';
let stop = async () => {};

/** Before the first service test: one Postgres and one Temporal server for all files of the run, from the built code of Longhaul's own stack. */
export default async function beginServiceRun() {
  await beginRun();
  const home = await mkdtemp(join(tmpdir(), 'longhaul-service-'));
  const [database, temporal] = await Promise.all([startPostgres(home), startTemporal()]);
  stop = async () => {
    if (process.env.LONGHAUL_TEST_RECORD_HISTORIES) await recordHistories(temporal.address);
    await Promise.all([database.stop(), temporal.stop()]);
    await rm(home, { recursive: true, force: true });
  };
  process.env.LONGHAUL_TEST_POSTGRES = database.url;
  process.env.LONGHAUL_TEST_TEMPORAL = temporal.address;
}

export const endServiceRun = () => stop();

/** Beyond what a worker's role may do: a database per test file. */
async function allowDatabases(url, password) {
  const admin = Object.assign(new URL(url), { username: 'postgres', password, pathname: '/postgres' }).href;
  const sql = postgres(admin, { max: 1 });
  await sql.unsafe('alter role longhaul createdb');
  await sql.end();
}

/** A Postgres that does not wait for the disk nor vacuum, with a migrated database to copy. */
async function startPostgres(home) {
  const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
  const { readConfiguration } = await built('config/configuration.js');
  const { performStep } = await built('setup/setup-step.js');
  const { postgresStep } = await built('setup/steps/postgres.js');
  const { createPostgresService } = await built('setup/stack/services/postgres-service.js');
  const { supervise } = await built('setup/stack/supervisor/supervise.js');
  const { migrateDatabase } = await built('db/connection/migrate.js');
  const { homeHash } = await built('config/stack-id.js');
  const progress = { update() {}, done() {}, fail() {} };
  const installation = await performStep(postgresStep, {
    configuration: readConfiguration({ LONGHAUL_HOME: home }),
    environment: process.env,
    reporter: { begin: () => progress, note() {} },
    signal: new AbortController().signal,
  });
  // An autovacuum in a test's database would refuse that the database is dropped.
  await appendFile(join(installation.dataFolder, 'postgresql.conf'), 'fsync = off\nautovacuum = off\n');
  const services = [createPostgresService(installation, { PATH: process.env.PATH ?? '' })];
  const stack = await supervise({ home, services, elsewhere: {}, onEvent() {} });
  const url = stack.addresses.database;
  await allowDatabases(url, (await readFile(installation.adminPasswordFile, 'utf8')).trim());
  const sql = postgres(url, { max: 1 });
  await sql.unsafe(`create database ${template}`);
  await sql.end();
  await migrateDatabase(Object.assign(new URL(url), { pathname: `/${template}` }).href);
  return {
    url,
    async stop() {
      await stack.stop();
      await rm(join('/var/lib/longhaul', homeHash(home)), { recursive: true, force: true }); // where root's Postgres keeps its data
    },
  };
}
