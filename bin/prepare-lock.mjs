import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. Clearing a dead holder's lock takes two file operations; a clearing folder older than this was left by a killed process. */
const clearingMs = 5_000;

/** Runs `work` while no other process installs or builds in the same folder. */
export async function withPrepareLock(root, reporter, work) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const path = join(tmpdir(), `longhaul-prepare-${name}.lock`);
  let told = false;
  while (!take(path)) {
    const holder = readHolder(path);
    if (holder !== undefined && !isRunning(holder) && clearDead(path, holder)) continue;
    if (!told && holder !== undefined) {
      reporter.note(`  waiting for another set-up, process ${holder} (if that is something else, remove ${path})`);
      told = true;
    }
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a dead holder's lock. Waiting processes take turns, so that none removes another's fresh lock; returns false if it is another's turn. */
function clearDead(path, holder) {
  const clearing = `${path}.clearing`;
  try {
    mkdirSync(clearing);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const since = statSync(clearing, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > clearingMs) rmSync(clearing, { recursive: true, force: true });
    return false;
  }
  try {
    if (readHolder(path) === holder) rmSync(path, { force: true });
  } finally {
    rmSync(clearing, { recursive: true, force: true });
  }
  return true;
}

/** The id of the process that holds the lock; undefined if it has just been released or is still being written. */
function readHolder(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
