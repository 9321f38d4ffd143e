import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createGitFixture, type GitFixture, nextCommit } from '../git-fixture.ts';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture.remove());

const lines = (...changed: string[]) => [...changed, 'two', 'three', 'four', 'five', 'six', 'seven'].join('\n');

test('work in different places of one file is merged, from the base that is named and not from history', async () => {
  const { repository, head } = await fixture.project({ file: lines('one') });
  const base = await nextCommit(repository, head, { file: lines('one', 'and a half') });
  const ours = await nextCommit(repository, base, { file: `${lines('one', 'and a half')}\neight`, added: 'x' });
  const onto = await nextCommit(repository, head, { file: lines('zero', 'one', 'and a half'), theirs: 'y' });
  const merged = await repository.mergeTrees({ base, ours, onto });
  if (!('tree' in merged)) throw new Error(`conflicts: ${merged.conflicts}`);
  const commit = await repository.commit({ tree: merged.tree, parents: [onto], message: 'm', trailers: {} });
  expect(await repository.listFiles(commit)).toEqual(['added', 'file', 'theirs']);
  expect(String(await repository.readFile(commit, 'file'))).toBe(`${lines('zero', 'one', 'and a half')}\neight`);
});

test('conflicts are named by path, each once', async () => {
  const { repository, head } = await fixture.project({ both: 'a\n', gone: 'a\n', 'größe "x"': 'a\n', same: 'a\n' });
  const treeOf = async (files: Record<string, string>) =>
    repository.commit({
      tree: await repository.writeTree(Object.entries(files).map(([path, content]) => ({ path, content }))),
      parents: [head],
      message: 'x',
      trailers: {},
    });
  const ours = await treeOf({ both: 'ours\n', gone: 'ours\n', 'größe "x"': 'ours\n', same: 'b\n' });
  const onto = await treeOf({ both: 'onto\n', 'größe "x"': 'onto\n', same: 'b\n' });
  const merged = await repository.mergeTrees({ base: head, ours, onto });
  expect(merged).toEqual({ conflicts: ['both', 'gone', 'größe "x"'] });
  expect(await readdir(repository.folder)).not.toContain('.merge_file');
});

test('a merge driver of the repository neither runs nor silently keeps one side', async () => {
  const attributes = { '.gitattributes': '*.txt merge=theirs\n' };
  const { repository, head } = await fixture.project({ ...attributes, 'a.txt': lines('one'), 'b.txt': 'a\n' });
  await fixture.git(repository.folder, ['config', 'merge.theirs.driver', 'cp %B %A']);
  const ours = await nextCommit(repository, head, { 'a.txt': `${lines('one')}\neight`, 'b.txt': 'ours\n' });
  const onto = await nextCommit(repository, head, { 'a.txt': lines('zero', 'one'), 'b.txt': 'onto\n' });
  expect(await repository.mergeTrees({ base: head, ours, onto })).toEqual({ conflicts: ['b.txt'] });
  const clean = await nextCommit(repository, head, { 'a.txt': lines('zero', 'one') });
  const merged = await repository.mergeTrees({ base: head, ours, onto: clean });
  if (!('tree' in merged)) throw new Error(`conflicts: ${merged.conflicts}`);
  const commit = await repository.commit({ tree: merged.tree, parents: [], message: 'm', trailers: {} });
  expect(String(await repository.readFile(commit, 'a.txt'))).toBe(`${lines('zero', 'one')}\neight`);
  expect((await readdir(repository.folder)).sort()).toEqual(['.git', '.gitattributes', 'a.txt', 'b.txt']);
});
