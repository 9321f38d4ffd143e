import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gitErrors } from '../error-messages.ts';

/** Milliseconds to wait for the holder; longer waits are left to the caller's retries. */
const timeoutMs = 5_000;

/**
 * Waits for the lock file that a git failure was caused by, if any; true means that the command is worth repeating.
 * @throws {GitError} RepositoryLocked if the lock stays: git may have been killed, or an editor is open on a commit message.
 */
export async function waitForLock(stderr: string): Promise<boolean> {
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1];
  if (lock === undefined) return false;
  const end = Date.now() + timeoutMs;
  for (;;) {
    if ((await ageOf(lock)) === undefined) return true;
    if (Date.now() > end) throw gitErrors.repositoryLocked(lock, 'by a git command, or left by one that was killed');
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
