import { mkdir, readdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { removeAbandonedFolders } from '../../../git/process/temporary-folder.ts';
import { put } from '../git-fixture.ts';
import { gitFixtureOfFile } from '../git-fixture-of-file.ts';

const fixture = await gitFixtureOfFile();

test('copies of repositories that killed workers left are removed', async () => {
  const parent = await fixture.folder();
  const kept = ['longhaul-export-fresh1', 'longhaul-exports-old123', 'longhaul-test-old123', 'somebody-tree-old123'];
  const left = ['longhaul-export-old123', 'longhaul-merge-old123', 'longhaul-sums-old123', 'longhaul-tree-old123'];
  for (const name of [...kept, ...left]) await put(parent, `${name}/git/HEAD`, 'x');
  await mkdir(join(parent, 'elsewhere'));
  await symlink(join(parent, 'elsewhere'), join(parent, 'longhaul-tree-linked'));
  const days = Date.now() / 1000 - 2 * 86_400;
  for (const name of [...left, ...kept.slice(1), 'elsewhere']) await utimes(join(parent, name), days, days);
  expect(await removeAbandonedFolders(parent)).toBe(4);
  expect((await readdir(parent)).sort()).toEqual([...kept, 'elsewhere', 'longhaul-tree-linked'].sort());
});
