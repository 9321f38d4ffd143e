import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkProjectFolder } from '../../../git/repository/check-project-folder.ts';
import { createProjectRepository } from '../../../git/repository/create-project-repository.ts';
import { createGitFixture, type GitFixture, nextCommit, put } from '../git-fixture.ts';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture.remove());

function create(folder: string, more: { adopt?: boolean; branch?: string } = {}) {
  return createProjectRepository({ folder, environment: fixture.environment, ...more });
}

test('a folder that does not exist yet, with parents, becomes a repository on main without a commit', async () => {
  const folder = join(await fixture.folder(), 'a', 'b');
  expect(await checkProjectFolder(folder)).toBe('missing');
  const repository = await create(folder);
  expect(repository.branch).toBe('main');
  expect(await repository.head()).toBeUndefined();
  await expect(repository.commitPersonChanges()).rejects.toMatchObject({ code: 'NoCommit' });
  expect(await repository.hasUncommittedChanges()).toBe(false);
});

test('the second call after a crash returns what the first made', async () => {
  const folder = await fixture.folder();
  await create(folder);
  const repository = await create(folder);
  const head = await repository.commit({
    tree: await repository.writeTree([]),
    parents: [],
    message: 'x',
    trailers: {},
  });
  await repository.moveBranch(undefined, head);
  expect(await (await create(folder)).head()).toBe(head);
});

test('an interrupted init is repeated', async () => {
  const folder = await fixture.folder();
  await mkdir(join(folder, '.git', 'objects'), { recursive: true });
  expect(await checkProjectFolder(folder)).toBe('empty');
  expect(await (await create(folder)).head()).toBeUndefined();
});

test('files without git are refused, and adopted as the first commit of the person when asked', async () => {
  const folder = await fixture.folder();
  await put(folder, 'src/main.py', 'print(1)\n');
  await put(folder, '.gitignore', 'secret\n');
  await put(folder, 'secret', 'x');
  await expect(create(folder)).rejects.toMatchObject({ code: 'FolderNotEmpty' });
  await expect(checkProjectFolder(folder)).rejects.toThrow('--adopt');
  await expect(stat(join(folder, '.git'))).rejects.toThrow('ENOENT');

  const repository = await create(folder, { adopt: true });
  const head = await repository.head();
  expect(await repository.listFiles(head ?? '')).toEqual(['.gitignore', 'src/main.py']);
  const [entry] = await repository.log('main');
  expect(entry?.trailers).toEqual({ 'Longhaul-Author': 'person' });
  expect(await fixture.git(folder, ['log', '-1', '--format=%an|%cn'])).toBe('Project owner|Longhaul');
  expect(await fixture.git(folder, ['status', '--porcelain'])).toBe('');
  expect(await (await create(folder, { adopt: true })).head()).toBe(head);
});

test("a person's repository without a commit keeps its files in the first one", async () => {
  const folder = await fixture.folder();
  await put(folder, 'a', '1');
  await fixture.git(folder, ['init', '-q', '-b', 'main']);
  const repository = await create(folder);
  expect(await repository.listFiles('main')).toEqual(['a']);
  expect((await repository.log('main'))[0]?.trailers).toEqual({ 'Longhaul-Author': 'person' });
});

test('an adoption that was killed before its commit is completed by the next', async () => {
  const folder = await fixture.folder();
  await put(folder, 'a', '1');
  await fixture.git(folder, ['init', '-q', '-b', 'main']);
  const repository = await create(folder, { adopt: true });
  expect(await repository.listFiles('main')).toEqual(['a']);
});

test('an adopted folder with a repository inside is refused and left as it was', async () => {
  const folder = await fixture.folder();
  await put(folder, 'a', '1');
  await mkdir(join(folder, 'inner'));
  await fixture.git(join(folder, 'inner'), ['init', '-q']);
  await fixture.git(join(folder, 'inner'), ['commit', '-q', '--allow-empty', '-m', 'x']);
  await expect(create(folder, { adopt: true })).rejects.toMatchObject({ code: 'NestedRepository' });
  await expect(stat(join(folder, '.git'))).rejects.toThrow('ENOENT');
});

test('an existing repository is taken on the branch that is checked out', async () => {
  const folder = await fixture.folder();
  await fixture.git(folder, ['init', '-q', '-b', 'trunk']);
  await fixture.git(folder, ['commit', '-q', '--allow-empty', '-m', 'x']);
  const repository = await create(folder);
  expect(repository.branch).toBe('trunk');
  expect(await repository.head()).toBe(await fixture.git(folder, ['rev-parse', 'HEAD']));
});

test('a detached HEAD is refused with what to do', async () => {
  const folder = await fixture.folder();
  await fixture.git(folder, ['init', '-q']);
  await fixture.git(folder, ['commit', '-q', '--allow-empty', '-m', 'x']);
  await fixture.git(folder, ['checkout', '-q', '--detach']);
  await expect(create(folder)).rejects.toMatchObject({ code: 'DetachedHead' });
  await expect(create(folder)).rejects.toThrow('git switch');
});

test('a repository whose files git passes through a filter is refused, one that only could is not', async () => {
  const { repository } = await fixture.project({ '.gitattributes': '*.up filter=upper\n*.bin filter=lfs\n', a: 'x' });
  const { folder } = repository;
  await fixture.git(folder, ['config', 'filter.upper.clean', 'tr a-z A-Z']);
  await create(folder);
  await put(folder, 'größe.up', 'hello\n');
  await expect(create(folder)).rejects.toThrow(/filter \(größe.up\)/);
  await rm(join(folder, 'größe.up'));
  await put(folder, 'picture.bin', 'of a clone without git-lfs\n');
  await create(folder);
  await mkdir(join(folder, '.git/lfs'));
  await expect(create(folder)).rejects.toMatchObject({ code: 'FilteredFiles' });
});

test('a folder that is a file, or is below one, is refused', async () => {
  const file = join(await fixture.folder(), 'file');
  await writeFile(file, 'x');
  await expect(create(file)).rejects.toMatchObject({ code: 'FolderIsFile' });
  await expect(checkProjectFolder(join(file, 'below'))).rejects.toThrow(`${file} is a file`);
  expect(await readFile(file, 'utf8')).toBe('x');
});

test('a place where no folder can be made is refused', async () => {
  await expect(create('/proc/longhaul-project')).rejects.toMatchObject({ code: 'FolderNotWritable' });
});

test('a bare repository is refused', async () => {
  const folder = await fixture.folder();
  await fixture.git(folder, ['init', '-q', '--bare']);
  await expect(create(folder)).rejects.toMatchObject({ code: 'BareRepository' });
});

test('a folder inside another repository gets its own and leaves the outer one alone', async () => {
  const outer = await fixture.folder();
  await fixture.git(outer, ['init', '-q']);
  await mkdir(join(outer, 'inner'));
  const repository = await create(join(outer, 'inner'));
  expect(repository.folder).toBe(join(outer, 'inner'));
  expect(await fixture.git(join(outer, 'inner'), ['rev-parse', '--show-toplevel'])).toBe(join(outer, 'inner'));
});

test('a sparse checkout or a partial clone is refused: files of a commit may be absent there', async () => {
  const { repository } = await fixture.project();
  await fixture.git(repository.folder, ['config', 'core.sparseCheckout', 'true']);
  await expect(create(repository.folder)).rejects.toMatchObject({ code: 'SparseCheckout' });
  await fixture.git(repository.folder, ['config', 'core.sparseCheckout', 'false']);
  await fixture.git(repository.folder, ['config', 'remote.origin.promisor', 'true']);
  await expect(create(repository.folder)).rejects.toMatchObject({ code: 'PartialClone' });
});

test('a missing or old git is reported', async () => {
  const bin = await fixture.folder();
  await put(bin, 'git', '#!/bin/sh\necho git version 2.37.4\n', 0o755);
  const environment = { PATH: bin, HOME: fixture.home };
  const folder = await fixture.folder();
  await expect(createProjectRepository({ folder, environment })).rejects.toThrow(
    'Longhaul needs git 2.38 or newer (for "git merge-tree --write-tree"); found 2.37.4. Update git.',
  );
  const nowhere = { PATH: '/nonexistent', HOME: fixture.home };
  await expect(createProjectRepository({ folder, environment: nowhere })).rejects.toMatchObject({
    code: 'GitNotFound',
  });
});

test('a folder named through a link is the folder itself', async () => {
  const { repository, head } = await fixture.project();
  const link = join(await fixture.folder(), 'link');
  await symlink(repository.folder, link);
  const opened = await create(link);
  expect(opened.folder).toBe(repository.folder);
  await opened.moveBranch(head, await nextCommit(opened, head, { b: '2\n' }));
  expect(await readFile(join(repository.folder, 'b'), 'utf8')).toBe('2\n');
});
