import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isRunning, type ProcessIdentity, processIdentitySchema } from '../config/process-identity.ts';

const pollMs = 100;
/** Milliseconds. Clearing a dead holder's lock takes two file operations; an attempt older than this was left by a killed process. */
const clearingMs = 5_000;

export interface HomeLock {
  release(): void;
}

/** Takes the lock file for this process, or returns its holder. A dead holder does not count. */
export function tryLock(path: string): HomeLock | { heldBy: ProcessIdentity } {
  const self = identifyProcess(process.pid);
  if (self === undefined)
    throw new Error(`Expected this process, ${process.pid}, among the running processes; it is missing.`);
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify(self), { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(own, path); // fails if the lock exists, and never shows one half-written
        return { release: () => rmSync(path, { force: true }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(path);
      if (holder !== undefined && isRunning(holder)) return { heldBy: holder };
      clearDeadLock(path);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Does the work while holding the lock, after waiting for a running holder; `onWait` is called once with that holder. */
export async function withLock<Result>(
  path: string,
  options: { signal?: AbortSignal; onWait?: (holder: ProcessIdentity) => void },
  work: () => Promise<Result>,
): Promise<Result> {
  let waited = false;
  for (;;) {
    const lock = tryLock(path);
    if ('release' in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (!waited) options.onWait?.(lock.heldBy);
    waited = true;
    await sleep(pollMs, undefined, options.signal ? { signal: options.signal } : {});
  }
}

/** The running process that holds the lock; undefined if there is none. */
export function lockHolder(path: string): ProcessIdentity | undefined {
  const holder = readHolder(path);
  return holder !== undefined && isRunning(holder) ? holder : undefined;
}

function readHolder(path: string): ProcessIdentity | undefined {
  try {
    return processIdentitySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    // Below a file there is no lock; `prepareHome` reports that nothing can be written there.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Removes a dead holder's lock; concurrent attempts take turns, so that none removes another's fresh lock. */
function clearDeadLock(path: string): void {
  const clearing = `${path}.clearing`;
  try {
    mkdirSync(clearing);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const since = statSync(clearing, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > clearingMs) rmSync(clearing, { recursive: true, force: true });
    return;
  }
  try {
    const holder = readHolder(path);
    if (holder !== undefined && !isRunning(holder)) rmSync(path, { force: true });
  } finally {
    rmdirSync(clearing);
  }
}
