import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { homeHash } from '../../config/home-hash.ts';
import { writeFileAtomically } from '../write-file-atomically.ts';
import { canReach } from './reach.ts';
import type { SystemUser } from './system-user.ts';

const placeSchema = z.object({ folder: z.string() });

/** The folder that set-up chose for this home's Postgres; undefined before that. */
export async function knownPlace(home: string): Promise<string | undefined> {
  const file = placeFile(home);
  return existsSync(file) ? placeSchema.parse(JSON.parse(await readFile(file, 'utf8'))).folder : undefined;
}

/** Chooses the folder: in the home, or, if Postgres' own user cannot get there (root's home is closed), below /var/lib. */
export async function choosePlace(home: string, user: SystemUser | undefined): Promise<string> {
  const inHome = join(home, 'postgres');
  if (user === undefined || (await canReach(user, join(home, 'postgres', 'data')))) return inHome;
  return join('/var/lib/longhaul', homeHash(home), 'postgres');
}

/** Records the folder, which stays the same from then on. */
export function rememberPlace(home: string, folder: string): void {
  writeFileAtomically(placeFile(home), `${JSON.stringify({ folder })}\n`);
}

function placeFile(home: string): string {
  return join(home, 'postgres.json');
}
