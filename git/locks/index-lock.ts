import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gitErrors } from '../error-messages.ts';
import type { Git } from '../process/run-git.ts';
import { gitProcessesWith, processStart } from './git-processes.ts';
import { ageOf, waitForLock } from './wait-for-lock.ts';

/** Git's `index.lock`, held by this process and containing its identity, so that a later process can tell when its owner is dead. */
export interface IndexLock {
  /** Set in the environment of every git that runs under the lock, so that its orphans can be found. */
  variable: { LONGHAUL_LOCK: string };
  release(): Promise<void>;
}

interface Owner {
  longhaulLock: string;
  pid: number;
  host: string;
  started: string | undefined;
}

/** Milliseconds to wait for another Longhaul process, or for the orphans of a dead one. */
const timeoutMs = 30_000;
/** Milliseconds after which another host's lock counts as abandoned: no operation under it takes that long. */
const otherHostStale = 600_000;

/**
 * Takes `index.lock`, also from a dead owner.
 * @throws {GitError} RepositoryLocked if another process keeps it.
 */
export async function takeIndexLock(git: Git): Promise<IndexLock> {
  const lock = join(git.gitFolder, 'index.lock');
  const owner: Owner = {
    longhaulLock: randomUUID(),
    pid: process.pid,
    host: hostname(),
    started: await processStart(process.pid),
  };
  const end = Date.now() + timeoutMs;
  while (!(await createLock(lock, owner))) {
    const content = await readLock(lock);
    if (content === undefined) continue;
    const holder = parseOwner(content);
    if (holder === undefined) {
      // It is git's own lock.
      await waitForLock(`Unable to create '${lock}': File exists`);
    } else if (!(await isAlive(holder, lock))) {
      await takeFromDead(lock, content);
    } else if (Date.now() > end) {
      throw gitErrors.repositoryLocked(lock, `held by Longhaul's process ${holder.pid} on ${holder.host}`);
    } else {
      await sleep(50);
    }
  }
  return { variable: { LONGHAUL_LOCK: owner.longhaulLock }, release: () => unlink(lock) };

  async function takeFromDead(path: string, content: string): Promise<void> {
    const orphans = await gitProcessesWith('LONGHAUL_LOCK', parseOwner(content)?.longhaulLock ?? '');
    if (orphans !== undefined && orphans.length > 0) {
      if (Date.now() > end)
        throw gitErrors.repositoryLocked(path, `held by git process ${orphans.join(', ')} of a killed worker`);
      await sleep(50);
      return;
    }
    // Renamed first: of two processes that see the same dead lock, only one gets it, and neither takes a live one.
    const aside = `${path}.${randomUUID()}`;
    try {
      await rename(path, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    if ((await readFile(aside, 'utf8')) !== content) await link(aside, path);
    await rm(aside);
  }
}

async function createLock(lock: string, owner: Owner): Promise<boolean> {
  try {
    await writeFile(lock, JSON.stringify(owner), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readLock(lock: string): Promise<string | undefined> {
  try {
    return await readFile(lock, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseOwner(content: string): Owner | undefined {
  if (!content.startsWith('{"longhaulLock":')) return undefined;
  return JSON.parse(content) as Owner;
}

async function isAlive(owner: Owner, lock: string): Promise<boolean> {
  if (owner.host !== hostname()) return ((await ageOf(lock)) ?? 0) < otherHostStale;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return owner.started === undefined || owner.started === (await processStart(owner.pid));
}
