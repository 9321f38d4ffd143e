import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createGitFixture, type GitFixture } from '../git-fixture.ts';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture.remove());

test('the links of a commit are read with their targets as they are written, and no other files', async () => {
  const { repository } = await fixture.project({ 'a/b.txt': 'x\n' });
  await symlink('b.txt', join(repository.folder, 'a', 'größe\n"x"'));
  await symlink('/etc/a b\nc', join(repository.folder, 'out'));
  const { head } = await repository.commitPersonChanges();
  expect(await repository.readLinks(head)).toEqual([
    ['a/größe\n"x"', 'b.txt'],
    ['out', '/etc/a b\nc'],
  ]);
});

test('links whose names are not UTF-8 are all read', async () => {
  const { repository } = await fixture.project();
  for (const [byte, target] of [
    [0xfe, '/etc'],
    [0xff, 'README.md'],
  ] as const)
    await symlink(target, Buffer.concat([Buffer.from(`${repository.folder}/l`), Buffer.of(byte)]));
  const { head } = await repository.commitPersonChanges();
  expect(await repository.readLinks(head)).toEqual([
    ['l\ufffd', '/etc'],
    ['l\ufffd', 'README.md'],
  ]);
});

test('a commit without links has none', async () => {
  const { repository, head } = await fixture.project({ file: 'x\n' });
  expect(await repository.readLinks(head)).toEqual([]);
});
