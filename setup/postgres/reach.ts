import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { SystemUser } from './system-user.ts';

const readBit = 4;
const passBit = 1;

/** Whether the user may read the path and pass through every folder above it; a path that does not exist is judged by the folders that do. */
export async function canReach(user: SystemUser, path: string): Promise<boolean> {
  if (!(await allows(user, path, readBit))) return false;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if (!(await allows(user, folder, passBit))) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function allows(user: SystemUser, path: string, right: number): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return true;
  const shift = found.uid === user.uid ? 6 : found.gid === user.gid ? 3 : 0;
  return ((found.mode >> shift) & right) === right;
}
