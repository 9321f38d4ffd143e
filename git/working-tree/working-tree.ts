import { copyFile, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { takeIndexLock } from '../locks/index-lock.ts';
import type { Git } from '../process/run-git.ts';

/** The working directory under lock: git works on a copy of the index until `install` atomically puts it in place. */
export interface WorkingTree {
  /** Git on the copy of the index. */
  git: Git;
  /** Starts over from the index that is in place. */
  reset(): Promise<void>;
  install(): Promise<void>;
  /** Git on a separate, empty index, for building trees. */
  scratch(): Promise<Git>;
}

/** Runs `work` with the working directory locked against other Longhaul processes and the person's git. */
export async function withWorkingTree<T>(git: Git, work: (tree: WorkingTree) => Promise<T>): Promise<T> {
  const lock = await takeIndexLock(git);
  const own = join(git.gitFolder, 'longhaul');
  const index = join(git.gitFolder, 'index');
  const copy = join(own, 'index');
  const scratch = join(own, 'scratch-index');
  const locked = git.with({ ...lock.variable, GIT_INDEX_FILE: copy });

  async function reset(): Promise<void> {
    for (const file of [copy, scratch]) await removeWithLock(file);
    const original = await stat(index).catch(ignoreMissing);
    if (original === undefined) return;
    await copyFile(index, copy);
    // Git re-reads files that are younger than the index, so the copy must not be younger than its original.
    const whole = Math.floor(original.mtimeMs / 1000);
    await utimes(copy, whole, whole);
  }

  try {
    await mkdir(own, { recursive: true });
    await reset();
    return await work({
      git: locked,
      reset,
      install: () => rename(copy, index),
      scratch: async () => {
        await removeWithLock(scratch);
        return git.with({ ...lock.variable, GIT_INDEX_FILE: scratch });
      },
    });
  } finally {
    for (const file of [copy, scratch]) await removeWithLock(file);
    await lock.release();
  }
}

async function removeWithLock(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}.lock`, { force: true });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
