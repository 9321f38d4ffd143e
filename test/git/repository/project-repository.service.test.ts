import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import { createGitFixture, type GitFixture, nextCommit, put } from '../git-fixture.ts';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture.remove());

test('a commit made again with the same date is the same commit', async () => {
  const { repository, head } = await fixture.project();
  const request = {
    tree: await repository.treeOf(head),
    parents: [head],
    message: '# not a comment\n\nBody: with a colon\n\n',
    trailers: { 'Longhaul-Session': 'p-s1', 'Longhaul-Feature': 'two\nlines' },
    date: '2026-01-02T03:04:05.678Z',
  };
  const commit = await repository.commit(request);
  expect(await repository.commit(request)).toBe(commit);
  const [entry] = await repository.log(commit, { limit: 1 });
  expect(entry).toEqual({
    commit,
    date: '2026-01-02T03:04:05+00:00',
    subject: '# not a comment',
    trailers: { 'Longhaul-Session': 'p-s1', 'Longhaul-Feature': 'two lines' },
  });
  await expect(repository.commit({ ...request, trailers: { 'a b': 'x' } })).rejects.toMatchObject({
    code: 'InvalidTrailer',
  });
  await expect(repository.commit({ ...request, date: 'soon' })).rejects.toThrow('ISO 8601');
});

test('an empty message and no trailers still make a commit', async () => {
  const { repository, head } = await fixture.project();
  const tree = await repository.treeOf(head);
  const commit = await repository.commit({ tree, parents: [head], message: '\0', trailers: {} });
  expect((await repository.log(commit)).map(({ subject, trailers }) => ({ subject, trailers }))).toEqual([
    { subject: '', trailers: {} },
    { subject: 'Begin', trailers: {} },
  ]);
});

test('a kept ref is not moved by accident', async () => {
  const { repository, head } = await fixture.project();
  const next = await nextCommit(repository, head, { a: '1' });
  await repository.keep('refs/longhaul/sessions/p-s1', head);
  await repository.keep('refs/longhaul/sessions/p-s1', head);
  await expect(repository.keep('refs/longhaul/sessions/p-s1', next)).rejects.toMatchObject({ code: 'RefTaken' });
  expect(await repository.resolve('refs/longhaul/sessions/p-s1')).toBe(head);
  await repository.keep('refs/longhaul/sessions/p-s1', next, { replacing: head });
  expect(await repository.resolve('refs/longhaul/sessions/p-s1')).toBe(next);
  await expect(repository.keep('refs/heads/x', head)).rejects.toMatchObject({ code: 'InvalidRef' });
  for (const ref of ['refs/longhaul/../heads/x', 'refs/longhaul/a b', 'refs/longhaul/'])
    await expect(repository.keep(ref, head)).rejects.toMatchObject({ code: 'GitCommand' });
  await expect(repository.keep('refs/longhaul/x', '1'.repeat(40))).rejects.toMatchObject({ code: 'GitCommand' });
});

test('an invalid revision resolves to nothing', async () => {
  const { repository, head } = await fixture.project();
  const tree = await repository.treeOf(head);
  for (const odd of [
    '',
    'nothing',
    '--all',
    '-n1',
    'main..main',
    'HEAD:README.md',
    tree,
    'a b',
    '^main',
    '\0',
    '@{99}',
  ]) {
    expect([odd, await repository.resolve(odd)]).toEqual([odd, undefined]);
  }
  expect(await repository.resolve(head.slice(0, 10))).toBe(head);
  await expect(repository.log('--all')).rejects.toMatchObject({ code: 'UnknownRevision' });
  await expect(repository.diff('--output=/tmp/x', head)).rejects.toMatchObject({ code: 'UnknownRevision' });
});

test('a file is read as it was, and a folder, a missing path or a pattern is none', async () => {
  const { repository, head } = await fixture.project();
  const bytes = '\u0000\u0001\r\n';
  const next = await nextCommit(repository, head, { 'a/b': bytes });
  expect(await repository.readFile(next, 'a/b')).toEqual(Buffer.from(bytes));
  for (const path of ['a', 'a/', 'b', '', '.', '../x', 'READ*', '/etc/passwd', './README.md', 'a/b/c', '-r']) {
    expect([path, await repository.readFile(next, path)]).toEqual([path, undefined]);
  }
});

test('the checksums of files are those of a new clone', async () => {
  const { repository, head } = await fixture.project();
  // The person's own settings and uncommitted attributes concern their folder only.
  await fixture.git(repository.folder, ['config', 'core.autocrlf', 'true']);
  await put(repository.folder, '.gitattributes', '*.sh -text\n');
  const commit = await nextCommit(repository, head, {
    '.gitattributes': '*.sh text eol=crlf\n*.id ident\n*.utf16 text working-tree-encoding=UTF-16LE\n',
    'run.sh': 'true\nfalse\n',
    'a b/one.id': '$Id$\n',
    'one.utf16': 'words\n',
    'plain\n.txt': 'one\ntwo\n',
  });
  const paths = (await repository.listFiles(commit)).filter((path) => path !== 'README.md');
  const clone = await fixture.folder();
  await fixture.git(clone, ['clone', '-q', '--no-checkout', repository.folder, '.']);
  await fixture.git(clone, ['fetch', '-q', 'origin', commit]);
  await fixture.git(clone, ['checkout', '-q', '--detach', commit]);
  const sums = new Map<string, string>();
  for (const path of paths) {
    const content = await readFile(join(clone, path));
    sums.set(path, createHash('sha256').update(content).digest('hex'));
  }
  expect(String(await readFile(join(clone, 'run.sh')))).toBe('true\r\nfalse\r\n');
  expect(await repository.checkedOutSums(commit, paths)).toEqual(sums);
});

test('a path out of the tree is not written', async () => {
  const { repository } = await fixture.project();
  for (const path of ['../x', '/x', '.git/hooks/x', 'a/../b', '']) {
    await expect(repository.writeTree([{ path, content: 'x' }])).rejects.toMatchObject({ code: 'InvalidPath' });
  }
});

test('a file replaces the folder of the same name in a base tree', async () => {
  const { repository, head } = await fixture.project({ 'a/b': '1', c: '1' });
  const next = await nextCommit(repository, head, { a: '2', 'c/d': '2' });
  expect(await repository.listFiles(next)).toEqual(['a', 'c/d']);
  expect(await repository.changedFiles(head, next)).toEqual([
    { path: 'a', change: 'added' },
    { path: 'a/b', change: 'deleted' },
    { path: 'c', change: 'deleted' },
    { path: 'c/d', change: 'added' },
  ]);
});

test('a renamed file does not hide the path that it left', async () => {
  const { repository, head } = await fixture.project({ 'test_a.py': 'assert 1\n'.repeat(20) });
  const tree = await repository.writeTree([{ path: 'old.py', content: 'assert 1\n'.repeat(20) }]);
  const next = await repository.commit({ tree, parents: [head], message: 'x', trailers: {} });
  expect(await repository.changedFiles(head, next)).toEqual([
    { path: 'old.py', change: 'renamed', previousPath: 'test_a.py' },
  ]);
});

test('the files of several commits are those that each changed against its first parent', async () => {
  const { repository, head } = await fixture.project({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const commitOf = async (parents: string[], files: Parameters<typeof repository.writeTree>[0]) =>
    repository.commit({ tree: await repository.writeTree(files, head), parents, message: 'm', trailers: {} });
  const first = await commitOf([head], [{ path: 'a b.txt', content: 'new\n' }]);
  const side = await commitOf([head], [{ path: 'b.txt', content: 'other\n' }]);
  const merge = await commitOf([first, side], [{ path: 'b.txt', content: 'other\n' }]);
  const empty = await commitOf([head], []);
  expect(await repository.filesOfCommits([merge, empty, first])).toEqual(
    new Map([
      [merge, ['a b.txt', 'b.txt']],
      [empty, []],
      [first, ['a b.txt']],
    ]),
  );
  expect(await repository.filesOfCommits([])).toEqual(new Map());
});

test("a diff does not depend on the person's settings, and is cut before it fills the memory", async () => {
  const { repository, head } = await fixture.project({ a: 'one\n', b: 'one\n' });
  for (const [key, value] of [
    ['diff.noprefix', 'true'],
    ['color.ui', 'always'],
    ['diff.context', '0'],
  ] as const) {
    await fixture.git(repository.folder, ['config', key, value]);
  }
  const next = await nextCommit(repository, head, { a: 'two\n', b: 'two\n' });
  expect(await repository.diff(head, next)).toMatch(
    /^diff --git a\/a b\/a\n.*@@ -1 \+1 @@\n-one\n\+two\ndiff --git a\/b b\/b\n/s,
  );
  expect(await repository.diff(head, next, { stat: true })).toContain(
    '2 files changed, 2 insertions(+), 2 deletions(-)',
  );
  const huge = await nextCommit(repository, head, { a: 'a long line of text\n'.repeat(1_000_000) });
  const diff = await repository.diff(head, huge);
  expect(diff.length).toBeLessThan(17_000_000);
  expect(diff).toMatch(/cut after 16777216 bytes]\n$/);
});

test('a folder without a repository of its own is not opened', async () => {
  const { repository } = await fixture.project();
  await put(repository.folder, 'inner/file', 'x');
  for (const folder of [await fixture.folder(), '/nonexistent/x', `${repository.folder}/inner`]) {
    await expect(openProjectRepository({ folder })).rejects.toMatchObject({ code: 'NotARepository' });
  }
  const { folder } = repository;
  await expect(openProjectRepository({ folder, branch: '--x' })).rejects.toMatchObject({ code: 'InvalidRef' });
  await expect(openProjectRepository({ folder, identity: { name: ' ', email: 'x' } })).rejects.toMatchObject({
    code: 'InvalidIdentity',
  });
});
