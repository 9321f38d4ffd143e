import { access, constants, lstat } from 'node:fs/promises';
import type { Git } from '../process/run-git.ts';
import { diskPath, parentOf, readablePath } from '../working-tree/look-at-files.ts';

/** What a person set on a file (`git update-index --skip-worktree`), so that git does not look at it. */
export type Flag = 'skip-worktree' | 'assume-unchanged';

/** The flags of those paths (latin1) that have one. */
export async function readFlags(git: Git, paths: Set<string>): Promise<Map<string, Flag>> {
  const flags = new Map<string, Flag>();
  for (const line of await git.fields(['ls-files', '-v', '-z'], { encoding: 'latin1' })) {
    const [tag = '', path] = [line[0], line.slice(2)];
    if (!paths.has(path)) continue;
    if (tag.toUpperCase() === 'S') flags.set(path, 'skip-worktree');
    else if (tag === 'h') flags.set(path, 'assume-unchanged');
  }
  return flags;
}

/** Has the given git's index look at these paths (latin1) again. */
export async function lookAgainAt(git: Git, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  await git.run(['update-index', '--no-assume-unchanged', '-z', '--stdin'], { input });
}

export function describeFlag(path: string, flag: Flag): string {
  const file = readablePath(path);
  return `${file} is marked ${flag} ("git update-index --no-${flag} ${file}" removes the mark)`;
}

/** What is wrong with the folders in which these paths (latin1) would be written or deleted. */
export async function describeUnwritable(folder: string, paths: string[]): Promise<string[]> {
  const seen = new Set<string>();
  const reasons: string[] = [];
  for (const path of paths) {
    let parent = parentOf(path);
    while (!seen.has(parent) && parent !== '' && !(await isFolder(folder, parent))) {
      seen.add(parent);
      parent = parentOf(parent);
    }
    if (seen.has(parent)) continue;
    seen.add(parent);
    if (!(await isWritable(folder, parent)))
      reasons.push(`the folder ${readablePath(parent) || folder} can't be written by this user`);
  }
  return reasons;
}

async function isFolder(folder: string, path: string): Promise<boolean> {
  const found = await lstat(diskPath(folder, path)).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function isWritable(folder: string, path: string): Promise<boolean> {
  return access(diskPath(folder, path), constants.W_OK).then(
    () => true,
    () => false,
  );
}
