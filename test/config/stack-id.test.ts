import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { homeHash, stackId } from '../../config/stack-id.ts';
import { prepareHome } from '../../setup/prepare-home.ts';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-stack-id-'));
  home = join(folder, 'home');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('two data folders with the same path on one container host have different ids', () => {
  prepareHome(home);
  const first = stackId(home);
  renameSync(home, join(folder, 'on another machine'));
  prepareHome(home);
  expect(stackId(home)).not.toBe(first);
  expect(stackId(home)).toMatch(/^[0-9a-f]{12}$/);
});

test('a restarted stack keeps its id', () => {
  mkdirSync(home);
  writeFileSync(join(home, '.env'), ''); // as written by `longhaul init` before the first start
  prepareHome(home);
  const first = stackId(home);
  prepareHome(home);
  expect(stackId(home)).toBe(first);
  expect(first).not.toBe(homeHash(home));
});

test('a copy of a data folder has an id of its own', () => {
  prepareHome(home);
  const copy = join(folder, 'copy');
  cpSync(home, copy, { recursive: true });
  expect(stackId(copy)).not.toBe(stackId(home));
});
