import { join } from 'node:path';
import { homeHash } from '../../config/stack-id.ts';
import { postgresFolderFile } from '../../config/stack-record.ts';
import { writeFileAtomically } from '../write-file-atomically.ts';
import { canReach } from './reach.ts';
import type { SystemUser } from './system-user.ts';

/** Chooses the folder: in the home, or, if Postgres' own user cannot get there (root's home is closed), below /var/lib. */
export async function choosePlace(home: string, user: SystemUser | undefined): Promise<string> {
  const inHome = join(home, 'postgres');
  if (user === undefined || (await canReach(user, join(home, 'postgres', 'data')))) return inHome;
  return join('/var/lib/longhaul', homeHash(home), 'postgres');
}

/** Records the folder, which stays the same from then on. */
export function rememberPlace(home: string, folder: string): void {
  writeFileAtomically(postgresFolderFile(home), `${JSON.stringify({ folder })}\n`);
}
