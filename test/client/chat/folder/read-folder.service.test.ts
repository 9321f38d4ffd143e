import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFolder } from '../../../../client/chat/folder/read-folder.ts';
import { put } from '../../../git/git-fixture.ts';
import { gitFixtureOfFile } from '../../../git/git-fixture-of-file.ts';

const fixture = await gitFixtureOfFile();

test('a repository is copied without what it ignores, and without itself', async () => {
  const { repository } = await fixture.project({
    '.gitignore': 'ignored\n',
    'src/a.ts': 'a\n',
    'node_modules/x/y.js': 'y',
  });
  const { folder } = repository;
  await writeFile(join(folder, 'ignored'), 'x');
  await writeFile(join(folder, 'untracked'), 'x', { mode: 0o755 });
  await writeFile(join(folder, '.env'), 'KEY=secret');
  await symlink('src/a.ts', join(folder, 'inside'));
  await symlink('/etc/passwd', join(folder, 'outside'));
  const { files, facts, left } = await readFolder(folder);
  expect(files.map(({ path }) => path).sort()).toEqual(['.gitignore', 'inside', 'src/a.ts', 'untracked']);
  expect(facts).toMatchObject({ untracked: { executable: true }, inside: { link: 'src/a.ts' } });
  expect(left.sort()).toEqual(['.env', 'outside']);
  expect((await readFolder(join(folder, 'src'))).files.map(({ path }) => path)).toEqual(['a.ts']);
});

test('a folder without repository is copied without packages, and one that is too large is refused with its largest folders', async () => {
  const folder = await fixture.folder();
  await put(folder, 'a.txt', 'a');
  await put(folder, 'node_modules/x/y.js', 'y');
  expect((await readFolder(folder)).files.map(({ path }) => path)).toEqual(['a.txt']);
  for (let number = 1; number <= 6; number += 1) {
    await put(folder, `data/big/${number}`, '');
    await truncate(join(folder, `data/big/${number}`), 19 * 1024 ** 2);
  }
  await expect(readFolder(folder)).rejects.toThrow(
    /at most 100 MiB to copy.*has 115 MiB\. The largest: data\/big\/ \(114 MiB\), \.\/ \(1 MiB\)\./,
  );
  for (let number = 1; number <= 6; number += 1) await truncate(join(folder, `data/big/${number}`), 21 * 1024 ** 2);
  expect((await readFolder(folder)).left).toHaveLength(6);
});
