import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { homeHash } from '../../config/home-hash.ts';
import { stackId } from '../../config/stack-id.ts';
import { prepareHome } from '../../setup/prepare-home.ts';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-stack-id-'));
  home = join(folder, 'home');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('two data folders of one path would take each other for themselves on the container host that they share', () => {
  prepareHome(home);
  const first = stackId(home);
  renameSync(home, join(folder, 'on another machine'));
  prepareHome(home);
  expect(stackId(home)).not.toBe(first);
  expect(stackId(home)).toMatch(/^[0-9a-f]{12}$/);
});

test('a stack that starts again would not know its own containers', () => {
  mkdirSync(home);
  writeFileSync(join(home, '.env'), ''); // as written by `longhaul init` before the first start
  prepareHome(home);
  const first = stackId(home);
  prepareHome(home);
  expect(stackId(home)).toBe(first);
  expect(first).not.toBe(homeHash(home));
});

test.each(['logs', 'lancedb'])('a data folder of before, with %s, would lose the containers that it has', (trace) => {
  mkdirSync(join(home, trace), { recursive: true });
  prepareHome(home);
  expect(stackId(home)).toBe(homeHash(home));
});

test('a copy of a data folder would take the containers of the original for its own', () => {
  prepareHome(home);
  const copy = join(folder, 'copy');
  cpSync(home, copy, { recursive: true });
  expect(stackId(copy)).not.toBe(stackId(home));
});
