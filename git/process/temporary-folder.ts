import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ageOf } from '../locks/wait-for-lock.ts';

/** What a temporary folder is for. */
type Purpose = 'export' | 'merge' | 'sums' | 'tree';

/** Milliseconds after which a folder is attributed to a process that was killed: none is used for a day. */
const abandonedAfter = 24 * 3_600_000;
const ours = /^longhaul-(export|merge|sums|tree)-[A-Za-z0-9]{6}$/;

/** A new folder in the system's for temporary files; whoever asks for it removes it. */
export function makeTemporaryFolder(purpose: Purpose): Promise<string> {
  return mkdtemp(join(tmpdir(), `longhaul-${purpose}-`));
}

/** Removes such folders of this user that killed processes left a day ago or longer; returns how many. */
export async function removeAbandonedFolders(parent = tmpdir()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(parent)) {
    if (!ours.test(name)) continue;
    const folder = join(parent, name);
    if (((await ageOf(folder)) ?? 0) < abandonedAfter) continue;
    const found = await lstat(folder).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    await rm(folder, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}
