import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { identifyProcess } from '../../config/process-identity.ts';
import { lockHolder, tryLock, withLock } from '../../setup/home-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('of two that take the lock at once, one gets it', async () => {
  const path = join(folder, 'lock');
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push(`${name} ends`);
  };
  const waited: number[] = [];
  await Promise.all([
    withLock(path, {}, work('first')),
    withLock(path, { onWait: ({ pid }) => waited.push(pid) }, work('second')),
  ]);
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(waited).toEqual([process.pid]);
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of a killed holder is free', async () => {
  const path = join(folder, 'lock');
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(holder, 'spawn');
  const identity = identifyProcess(holder.pid as number);
  writeFileSync(path, JSON.stringify(identity));
  expect(tryLock(path)).toEqual({ heldBy: identity });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(lockHolder(path)).toBeUndefined();
  expect(tryLock(path)).toHaveProperty('release');
});

test("a process that merely got a dead holder's pid does not hold the lock", () => {
  const path = join(folder, 'lock');
  writeFileSync(path, JSON.stringify({ pid: process.pid, startMark: 'of an earlier process' }));
  const lock = tryLock(path);
  expect(lock).toHaveProperty('release');
  if ('release' in lock) lock.release();
  expect(existsSync(path)).toBe(false);
});

test('work that fails releases the lock', async () => {
  const path = join(folder, 'lock');
  await expect(withLock(path, {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(lockHolder(path)).toBeUndefined();
});

test('waiting for the lock can be interrupted', async () => {
  const path = join(folder, 'lock');
  const controller = new AbortController();
  const held = withLock(path, {}, () => new Promise((resolve) => setTimeout(resolve, 300)));
  const waiting = withLock(path, { signal: controller.signal }, async () => 'never');
  controller.abort();
  await expect(waiting).rejects.toThrow();
  await held;
});
