import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { SetupError } from '../setup-error.ts';

export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

const systemUserName = 'longhaul-postgres';

/** The system user that Postgres runs as if we are root, since it refuses to run as root; undefined if that user does not exist yet. */
export async function findSystemUser(): Promise<SystemUser | undefined> {
  const entries = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = entries.find(([name]) => name === systemUserName);
  return entry && { name: systemUserName, uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Creates that user, without login and home. */
export async function createSystemUser(): Promise<SystemUser> {
  const { failed, shortMessage, stderr } = await execa(
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      systemUserName,
    ],
    { reject: false },
  );
  const user = await findSystemUser(); // another set-up may have made it in the meantime
  if (user !== undefined) return user;
  throw new SetupError(
    'PostgresUnavailable',
    `Could not create the system user ${systemUserName} (Postgres does not run as root): ${failed ? `${shortMessage} ${stderr ?? ''}` : 'useradd created none'}. ` +
      'Run Longhaul as a user other than root, or set DATABASE_URL.',
  );
}
