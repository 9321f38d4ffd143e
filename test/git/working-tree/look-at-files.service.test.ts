import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createLook, type Disk, foldCase } from '../../../git/working-tree/look-at-files.ts';
import { put } from '../git-fixture.ts';
import { gitFixtureOfFile } from '../git-fixture-of-file.ts';

const fixture = await gitFixtureOfFile();

/** A disk as a Mac's: a file is found by its name in any case. Counts the folders that were listed. */
function caseInsensitiveDisk(folder: string) {
  let listed = 0;
  const find = async (path: Buffer) => {
    const files = await readdir(folder, { recursive: true });
    const wanted = path.toString('utf8').slice(folder.length + 1);
    return join(folder, files.find((file) => foldCase(latin1(file)) === foldCase(latin1(wanted))) ?? wanted);
  };
  const disk: Disk = {
    lstat: async (path) => lstat(await find(path)),
    async names(path) {
      listed += 1;
      return readdir(path.length > folder.length + 1 ? await find(path) : folder, 'buffer');
    },
  };
  return { disk, listed: () => listed };
}

const latin1 = (path: string) => Buffer.from(path, 'utf8').toString('latin1');

async function kindsOf(folder: string, paths: string[], disk?: Disk): Promise<Record<string, string>> {
  const look = createLook(folder, paths.map(latin1), disk);
  const kinds: Record<string, string> = {};
  for (const path of paths) kinds[path] = (await look(latin1(path))).kind;
  return kinds;
}

test('a file whose name changes only in case is not deleted', async () => {
  const folder = await fixture.folder();
  for (const file of ['readme.md', 'Docs/größe.txt', 'kept/KEPT.txt']) await put(folder, file, 'x');
  const { disk, listed } = caseInsensitiveDisk(folder);
  const before = { 'readme.md': 'file', 'Docs/größe.txt': 'file' };
  const after = {
    'README.md': 'absent',
    'Docs/GRÖSSE.txt': 'absent',
    'Docs/Größe.txt': 'absent',
    'docs/größe.txt': 'absent',
  };
  const paths = { ...before, ...after };
  expect(await kindsOf(folder, Object.keys(paths), disk)).toEqual(paths);
  expect(listed()).toBe(2);
});

test('a file whose case a person changed does not count as deleted', async () => {
  const folder = await fixture.folder();
  for (const file of ['README.md', 'other.txt']) await put(folder, file, 'x');
  const { disk, listed } = caseInsensitiveDisk(folder);
  const paths = { 'readme.md': 'file', 'Other.txt': 'file', 'third.txt': 'absent' };
  expect(await kindsOf(folder, Object.keys(paths), disk)).toEqual(paths);
  expect(listed()).toBe(0);
});

test('a disk that tells cases apart has both files, and accents in either form name one', async () => {
  const folder = await fixture.folder();
  const decomposed = 'gro\u0308\u00dfe.txt';
  for (const file of ['a.md', 'A.md', decomposed]) await put(folder, file, 'x');
  expect(await kindsOf(folder, ['a.md', 'A.md', 'a.MD'])).toEqual({ 'a.md': 'file', 'A.md': 'file', 'a.MD': 'absent' });
  const { disk } = caseInsensitiveDisk(folder);
  const paths = { 'gr\u00f6\u00dfe.txt': 'file', 'Gr\u00f6\u00dfe.txt': 'absent' };
  expect(await kindsOf(folder, Object.keys(paths), disk)).toEqual(paths);
});
