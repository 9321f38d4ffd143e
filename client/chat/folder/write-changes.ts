import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FolderChange } from '../../../domain/chat/folder-changes.ts';
import type { Contents } from './plan-apply.ts';

/**
 * Writes planned changes into a folder: first all new content beside its place, then each file at once, then what is deleted. Where content cannot be
 * written nothing changes; what a killed process has not written yet is planned again.
 */
export async function writeChanges(root: string, changes: FolderChange[], contents: Contents): Promise<void> {
  const staged: Array<{ from: string; to: string }> = [];
  const made: string[] = [];
  const suffix = randomBytes(6).toString('hex');
  try {
    for (const { path, after } of changes) {
      if (!after || 'link' in after) continue;
      const file = contents.get(path);
      if (!file) throw new Error(`Expected the content of ${path}, got none.`);
      const to = join(root, path);
      made.push(...(await makeFolders(root, dirname(path))));
      const from = join(dirname(to), `.${basename(path).slice(0, 100)}.${suffix}`);
      staged.push({ from, to });
      const handle = await open(from, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
      try {
        await handle.chmod(await modeOf(to, file.executable));
        await handle.writeFile(file.content);
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  } catch (error) {
    for (const { from } of staged) await rm(from, { force: true });
    for (const folder of made.reverse()) await rmdir(folder).catch(() => undefined);
    throw error;
  }
  for (const { from, to } of staged) await rename(from, to);
  for (const { path, after } of changes) {
    if (after) continue;
    await unlink(join(root, path));
    await removeEmptyFolders(root, dirname(path));
  }
}

/** A file that is there keeps who may read and write it. */
async function modeOf(place: string, executable: boolean): Promise<number> {
  const there = await lstat(place).catch(() => undefined);
  const plain = there ? there.mode & 0o666 : 0o644;
  return executable ? plain | ((plain & 0o444) >> 2) : plain;
}

/** Makes the folders of a path one by one, so that none is made through a link; returns the new ones. */
async function makeFolders(root: string, path: string): Promise<string[]> {
  if (path === '.') return [];
  const above = await makeFolders(root, dirname(path));
  const folder = join(root, path);
  try {
    await mkdir(folder);
    return [...above, folder];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above;
    throw error;
  }
}

/** A deleted file's folder goes with its last file, as git would have it. */
async function removeEmptyFolders(root: string, path: string): Promise<void> {
  for (let folder = path; folder !== '.'; folder = dirname(folder)) {
    try {
      await rmdir(join(root, folder));
    } catch {
      return; // it has other files
    }
  }
}
