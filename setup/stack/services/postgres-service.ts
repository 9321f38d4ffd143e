import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, startTime } from '../../../config/process-identity.ts';
import { migrateDatabase } from '../../../db/connection/migrate.ts';
import { openClient } from '../../../db/connection/open-client.ts';
import { sendSignal } from '../../processes/end-process.ts';
import { SetupError } from '../../setup-error.ts';
import type { PostgresInstallation } from '../../steps/postgres.ts';
import type { ServiceDefinition } from '../supervisor/service-definition.ts';

const databaseName = 'longhaul';
/** Owns that database and nothing more. */
const roleName = 'longhaul';
const superuser = 'postgres';
/** How long backends of a killed postmaster may take to notice; until then a new one refuses their shared memory. */
const backendsMs = 10_000;
/** Postgres and `ps` report whole seconds; a pid is not reused this soon. */
const roundingSeconds = 5;

/** Our own Postgres, on the loopback interface only; ready when its schema is the newest. */
export function createPostgresService(
  installation: PostgresInstallation,
  environment: Record<string, string>,
): ServiceDefinition {
  const { dataFolder, executable, user } = installation;
  return {
    name: 'postgres',
    after: [],
    ports: { port: 54329 },
    async command({ ports, signal }) {
      await clearKilledPredecessor(dataFolder, signal);
      return {
        file: executable,
        parameters: ['-D', dataFolder, '-p', String(ports.port)].concat(
          setting('listen_addresses', '127.0.0.1'),
          setting('unix_socket_directories', ''),
          setting('max_connections', '200'),
          setting('log_timezone', 'UTC'),
        ),
        environment: { ...environment, LC_MESSAGES: 'C', TZ: 'UTC' },
        folder: dataFolder,
        ...(user ? { user: { uid: user.uid, gid: user.gid } } : {}),
      };
    },
    async ready({ ports }) {
      const [password, adminPassword] = await Promise.all([
        readPassword(installation.passwordFile),
        readPassword(installation.adminPasswordFile),
      ]);
      const address = `127.0.0.1:${ports.port}`;
      await createDatabase(`postgres://${superuser}:${adminPassword}@${address}/postgres`, password);
      const url = `postgres://${roleName}:${password}@${address}/${databaseName}`;
      await migrate(url);
      return { url: `postgres://${roleName}@${address}/${databaseName}`, addresses: { database: url } };
    },
    readyMs: 120_000, // recovery after a kill replays what was not yet on disk
    stop: { signal: 'SIGINT', graceMs: 2_000 }, // fast shutdown: open transactions are rolled back
  };
}

function setting(name: string, value: string): string[] {
  return ['-c', `${name}=${value}`];
}

async function readPassword(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}

/** Makes the role that workers connect as, and its database, as superuser. The password has no character that SQL would quote. */
async function createDatabase(adminUrl: string, password: string): Promise<void> {
  const sql = openClient(adminUrl, { max: 1, connect_timeout: 5 });
  try {
    const [role] = await sql`select 1 from pg_roles where rolname = ${roleName}`;
    if (role === undefined) await sql.unsafe(`create role ${roleName} login password '${password}'`);
    const [found] = await sql`select 1 from pg_database where datname = ${databaseName}`;
    if (found === undefined) await sql.unsafe(`create database ${databaseName} owner ${roleName}`);
    await sql.unsafe('revoke connect on database postgres, template1 from public');
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function migrate(url: string): Promise<void> {
  try {
    await migrateDatabase(url);
  } catch (error) {
    if (isConnectionProblem(error as NodeJS.ErrnoException)) throw error; // it is still coming up, or went down again
    throw new SetupError(
      'ServiceUnstartable',
      `Could not update the database's schema: ${(error as Error).message}. ` +
        'If another version of Longhaul made this data, run that version or name another data folder with LONGHAUL_HOME.',
      { cause: error },
    );
  }
}

function isConnectionProblem(error: NodeJS.ErrnoException): boolean {
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  // 57P0x: shutting down, crashed, starting up.
  return /^(CONNECTION_|CONNECT_|ECONN|EPIPE|57P0)/.test(cause.code ?? '');
}

/** Removes the pid file of a postmaster that was killed, once none of its processes is left. */
async function clearKilledPredecessor(dataFolder: string, signal: AbortSignal): Promise<void> {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [pid, , since] = readFileSync(file, 'utf8').split('\n'); // the second line is the data folder
  const postmaster = Number(pid);
  if (process.platform === 'linux') {
    await waitUntil(() => processesIn(dataFolder).length === 0, signal);
    const left = processesIn(dataFolder);
    if (left.includes(postmaster)) throw inUse(dataFolder, postmaster);
    for (const pid of left) sendSignal(pid, 'SIGKILL'); // busy, and without a postmaster that would hear of their end
  } else {
    const found = identifyProcess(postmaster);
    // A process that started after the file was written only reuses the pid, as after a reboot.
    const isAnother = found !== undefined && startTime(found) > (Number(since) + roundingSeconds) * 1000;
    if (found !== undefined && !isAnother) throw inUse(dataFolder, postmaster);
  }
  await rm(file, { force: true });
}

async function waitUntil(isSo: () => boolean, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + backendsMs;
  while (!isSo() && Date.now() < deadline) await sleep(50, undefined, { signal });
}

function inUse(dataFolder: string, pid: number): SetupError {
  return new SetupError(
    'ServiceUnstartable',
    `The data folder ${dataFolder} is in use by another Postgres, process ${pid}. Stop it (kill -INT ${pid}) and start again.`,
  );
}

/** Postgres' processes all work in their data folder; this finds them by it (Linux only). */
function processesIn(dataFolder: string): number[] {
  const folder = realpathSync(dataFolder);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false; // it ended meanwhile, or belongs to another user
      }
    })
    .map(Number);
}
