import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { prepareHome } from '../../setup/prepare-home.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'longhaul-home-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('what others could read in the data folder is closed at the next start', () => {
  const home = join(parent, 'home');
  mkdirSync(join(home, 'lancedb'), { recursive: true });
  mkdirSync(join(home, 'postgres'));
  writeFileSync(join(home, 'notes'), '');
  for (const path of ['', 'lancedb', 'postgres']) chmodSync(join(home, path), 0o755);
  chmodSync(join(home, 'notes'), 0o644);
  prepareHome(home);
  expect(['', 'lancedb', 'logs', 'notes'].map((path) => modeOf(join(home, path)))).toEqual([
    process.getuid?.() === 0 ? '711' : '700',
    '700',
    '700',
    '600',
  ]);
  expect(modeOf(join(home, 'postgres'))).toBe('755'); // Postgres has a user of its own
});

test('folders of memories, files and recordings are closed from the first start on', () => {
  const home = join(parent, 'new');
  prepareHome(home);
  for (const folder of ['lancedb', 'chats', 'recordings', 'projects']) expect(modeOf(join(home, folder))).toBe('700');
});

test('a data folder that cannot be made says which, and how to name another', () => {
  writeFileSync(join(parent, 'file'), '');
  expect(() => prepareHome(join(parent, 'file', 'home'))).toThrow(
    /in Longhaul's data folder .+file.home: .+LONGHAUL_HOME/,
  );
});
