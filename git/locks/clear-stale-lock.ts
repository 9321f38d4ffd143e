import { stat, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gitErrors } from '../errors.ts';
import { lockHolders } from './lock-holder.ts';

/**
 * Milliseconds after which an unheld lock is attributed to a git that was killed. Git holds a ref's lock for some milliseconds, but `index.lock` for
 * as long as an editor is open, perhaps in a container whose processes can't be seen.
 */
const staleAfter = { index: 600_000, ref: 30_000 };
/** Milliseconds to wait for the holder; longer waits are left to the caller's retries. */
const patience = 5_000;

/**
 * Checks whether a git failure was caused by a lock file. Waits for the lock to go, or removes it if it is old and nobody holds it; true means that
 * the command is worth repeating.
 * @throws {GitError} RepositoryLocked if the lock stays.
 */
export async function clearStaleLock(stderr: string, folder: string): Promise<boolean> {
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1];
  if (lock === undefined) return false;
  const end = Date.now() + patience;
  for (;;) {
    const age = await ageOf(lock);
    if (age === undefined) return true;
    const holders = await lockHolders(lock, folder);
    const limit = lock.endsWith('/index.lock') ? staleAfter.index : staleAfter.ref;
    if (age > limit && holders?.length === 0) {
      await unlink(lock);
      return true;
    }
    if (Date.now() > end) throw gitErrors.repositoryLocked(lock, describe(holders));
    await sleep(100);
  }
}

/** Milliseconds since a file was last modified; undefined if there is none. */
export async function ageOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found === undefined ? undefined : Date.now() - found.mtimeMs;
}

/** Describes in words who holds a lock. */
export function describe(holders: number[] | undefined): string {
  if (holders === undefined) return 'by an unknown process';
  if (holders.length === 0) return 'left by a process that has ended';
  return `held by process ${holders.join(', ')}`;
}
