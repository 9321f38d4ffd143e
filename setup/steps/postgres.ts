import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { readPostgresFolder } from '../../config/stack-record.ts';
import { findNativePostgres, type NativePostgres } from '../postgres/native-folder.ts';
import { choosePlace, rememberPlace } from '../postgres/place.ts';
import { canReach } from '../postgres/reach.ts';
import { createSystemUser, findSystemUser, type SystemUser } from '../postgres/system-user.ts';
import { SetupError } from '../setup-error.ts';
import type { SetupStep } from '../setup-step.ts';

/** A Postgres ready to be started. */
export interface PostgresInstallation {
  version: string;
  /** The program itself. */
  executable: string;
  dataFolder: string;
  /** Who runs it; absent if we do. */
  user?: SystemUser;
  /** Holds the password of the role `longhaul`, which workers and clients connect as; only we may read it. */
  passwordFile: string;
  /** The same of the superuser `postgres`, which makes that role and its database. */
  adminPasswordFile: string;
}

/** Sets up the Postgres that npm installed: its system user if we are root, its files where that user can read them, its data folder. */
export const postgresStep: SetupStep<PostgresInstallation> = {
  name: 'Postgres',
  async check({ configuration }) {
    const folder = readPostgresFolder(configuration.home);
    const user = await findUser();
    if (folder === undefined || user === 'missing') return undefined;
    const native = await findNativePostgres();
    const installation = describe(folder, await nativeFolder(native, folder, user), native, user);
    if (!existsSync(installation.executable) || !existsSync(installation.passwordFile)) return undefined;
    if (!existsSync(join(installation.dataFolder, 'PG_VERSION'))) return undefined;
    await expectUsable(installation);
    return { result: installation, what: `Postgres ${major(native.version)}, data in ${installation.dataFolder}` };
  },
  async run({ configuration, signal }, progress) {
    const { home } = configuration;
    const native = await findNativePostgres();
    const found = await findUser();
    if (found === 'missing') progress.update('making the system user longhaul-postgres');
    const user = found === 'missing' ? await createSystemUser() : found;
    const known = readPostgresFolder(home);
    const folder = known ?? (await choosePlace(home, user));
    if (known === undefined && folder !== join(home, 'postgres')) await setAside(folder);
    rememberPlace(home, folder);
    await makeFolder(folder, user);

    const target = await nativeFolder(native, folder, user);
    if (!existsSync(target)) {
      progress.update(`copying Postgres ${native.version} to where its user can read it`);
      await copyNative(native.folder, target);
    }
    const installation = describe(folder, target, native, user);
    if (existsSync(join(installation.dataFolder, 'PG_VERSION'))) {
      await expectUsable(installation);
    } else {
      progress.update(`making the data folder ${installation.dataFolder}`);
      await initialize(installation, folder, signal);
    }
    return { result: installation, what: `Postgres ${major(native.version)}, data in ${installation.dataFolder}` };
  },
};

async function findUser(): Promise<SystemUser | undefined | 'missing'> {
  return process.getuid?.() === 0 ? ((await findSystemUser()) ?? 'missing') : undefined;
}

function describe(
  folder: string,
  native: string,
  { version }: NativePostgres,
  user: SystemUser | undefined,
): PostgresInstallation {
  return {
    version,
    executable: join(native, 'bin', 'postgres'),
    dataFolder: join(folder, 'data'),
    passwordFile: join(folder, 'password'),
    adminPasswordFile: join(folder, 'admin-password'),
    ...(user ? { user } : {}),
  };
}

/** npm's own folder if the user can read it, else a copy beside the data. */
async function nativeFolder(native: NativePostgres, folder: string, user: SystemUser | undefined): Promise<string> {
  if (user === undefined) return native.folder;
  const needed = [join('bin', 'postgres'), 'lib', join('share', 'postgresql')];
  const reachable = await Promise.all(needed.map((path) => canReach(user, join(native.folder, path))));
  return reachable.every(Boolean) ? native.folder : join(folder, `native-${native.version}`);
}

async function makeFolder(folder: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, ...(user ? { mode: 0o755 } : {}) });
  await mkdir(folder, { recursive: true });
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o700);
  const left = (await readdir(folder)).filter((name) => name.endsWith('.partial'));
  // An initdb whose set-up was killed may still be writing there; it ends when its files are gone.
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })));
}

async function copyNative(from: string, to: string): Promise<void> {
  const partial = `${to}.partial`;
  await cp(from, partial, { recursive: true, verbatimSymlinks: true });
  await execa('chmod', ['-R', 'a+rX', partial]); // under a strict umask npm leaves files that only its own user can read
  await rename(partial, to);
}

async function initialize(installation: PostgresInstallation, folder: string, signal: AbortSignal): Promise<void> {
  const { user, dataFolder, executable } = installation;
  const [password, adminPassword] = [newPassword(), newPassword()];
  const partial = `${dataFolder}.${process.pid}.partial`; // owned by this process, not by an initdb whose set-up was killed
  const handedOver = join(folder, `password.${process.pid}.partial`); // initdb reads it as its own user
  await writeFile(handedOver, `${adminPassword}\n`, { mode: 0o600 });
  if (user) await chown(handedOver, user.uid, user.gid);
  const { failed, shortMessage, stderr } = await execa(
    join(dirname(executable), 'initdb'),
    ['--pgdata', partial, '--username', 'postgres', '--pwfile', handedOver, '--auth', 'scram-sha-256'].concat([
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
    ]),
    { cwd: folder, reject: false, cancelSignal: signal, ...(user ? { uid: user.uid, gid: user.gid } : {}) },
  );
  signal.throwIfAborted();
  if (failed) {
    throw new SetupError(
      'PostgresUnavailable',
      `initdb could not create ${dataFolder}: ${shortMessage}\n${stderr ?? ''}\nSet DATABASE_URL to use your own Postgres.`,
    );
  }
  // The data folder gets its name last: if it exists, so do its passwords.
  await writePassword(installation.passwordFile, password);
  await writePassword(installation.adminPasswordFile, adminPassword);
  await rename(partial, dataFolder);
  await rm(handedOver);
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

async function writePassword(file: string, password: string): Promise<void> {
  await writeFile(`${file}.new.partial`, password, { mode: 0o600 });
  await rename(`${file}.new.partial`, file);
}

/** Keeps a folder outside the home that outlived an earlier home of the same name: it is renamed, not taken over. */
async function setAside(folder: string): Promise<void> {
  if (!existsSync(join(folder, 'data'))) return;
  await rename(folder, `${folder}.left-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
}

async function expectUsable({ dataFolder, version, adminPasswordFile }: PostgresInstallation): Promise<void> {
  const found = (await readFile(join(dataFolder, 'PG_VERSION'), 'utf8')).trim();
  if (found !== major(version)) {
    throw new SetupError(
      'PostgresUnavailable',
      `Expected data of Postgres ${major(version)} in ${dataFolder}, found that of ${found}. ` +
        'Upgrade it with pg_upgrade, or set LONGHAUL_HOME to a new data folder.',
    );
  }
  if (existsSync(adminPasswordFile)) return;
  throw new SetupError(
    'PostgresUnavailable',
    `Expected the password of Postgres's superuser in ${adminPasswordFile}, found none: the data was made when workers were superusers. ` +
      `Move ${dirname(dataFolder)} away to start with empty data, or set LONGHAUL_HOME to a new data folder.`,
  );
}

function major(version: string): string {
  return version.split('.')[0] ?? version;
}
