import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { execa } from 'execa';
import { makeWorkFolder, removeWorkFolder } from '../../../sandbox/image/work-folder.ts';

const asRoot = process.getuid?.() === 0 && process.platform === 'linux' ? test : test.skip;

asRoot('what an interrupted run left is removed, its mounts first and never through them', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'longhaul-test-work-'));
  const stale = join(parent, 'longhaul-base-999999999');
  const outside = join(parent, 'outside');
  await mkdir(join(stale, 'proc'), { recursive: true });
  await mkdir(join(outside, 'kept'), { recursive: true });
  await execa('mount', ['--bind', outside, join(stale, 'proc')]);
  const folder = await makeWorkFolder(parent);
  expect(existsSync(stale)).toBe(false);
  expect(existsSync(join(outside, 'kept'))).toBe(true);
  await removeWorkFolder(folder);
  expect(existsSync(folder)).toBe(false);
  await rm(parent, { recursive: true });
});
