import { chmod, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createProjectRepository } from '../../../git/repository/create-project-repository.ts';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../../git/repository/project-repository.ts';
import { createGitFixture, type GitFixture, nextCommit, put } from '../git-fixture.ts';
import { createKilledProcess, deathsIn } from '../killed-process.ts';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture.remove());

const status = (folder: string) => fixture.git(folder, ['status', '--porcelain']);
const author = (folder: string) => fixture.git(folder, ['log', '-1', '--format=%an <%ae> %cn']);

test('every kind of change is taken, ignored files are not, and nothing twice', async () => {
  const { repository, head } = await fixture.project({ a: '1', b: '1', c: '1', d: '1', '.gitignore': '*.log\n' });
  await put(repository.folder, 'a', '2');
  await rm(join(repository.folder, 'b'));
  await chmod(join(repository.folder, 'c'), 0o755);
  await rm(join(repository.folder, 'd'));
  await put(repository.folder, 'd/inner', 'x');
  await symlink('/etc/passwd', join(repository.folder, 'link'));
  await put(repository.folder, 'noise.log', 'x');
  await put(repository.folder, 'staged', 'x');
  await fixture.git(repository.folder, ['add', 'staged']);
  expect(await repository.hasUncommittedChanges()).toBe(true);
  const { head: after, committed } = await repository.commitPersonChanges();
  expect(committed).toBe(after);
  expect(await repository.listFiles(after)).toEqual(['.gitignore', 'a', 'c', 'd/inner', 'link', 'staged']);
  expect(await repository.readFile(after, 'link')).toBeUndefined();
  expect((await repository.log(after))[0]?.trailers).toEqual({ 'Longhaul-Author': 'person' });
  expect(await status(repository.folder)).toBe('');
  expect(await repository.commitPersonChanges()).toEqual({ head: after });
  expect(await repository.hasUncommittedChanges()).toBe(false);
  expect(after).not.toBe(head);
});

test('what was staged and then undone in the files is no change for ever', async () => {
  const { repository, head } = await fixture.project({ edited: 'old', removed: 'old' });
  const { folder } = repository;
  await put(folder, 'edited', 'new');
  await put(folder, 'added', 'new');
  await fixture.git(folder, ['add', 'edited', 'added']);
  await put(folder, 'edited', 'old');
  await rm(join(folder, 'added'));
  await put(folder, 'intended', 'new');
  await fixture.git(folder, ['add', '--intent-to-add', 'intended']);
  await rm(join(folder, 'intended'));
  await fixture.git(folder, ['rm', '-q', '--cached', 'removed']);
  expect(await status(folder)).toBe('AD added\nMM edited\n D intended\nD  removed\n?? removed');
  expect(await repository.commitPersonChanges()).toEqual({ head });
  expect(await status(folder)).toBe('');
  expect(await repository.hasUncommittedChanges()).toBe(false);
  await repository.moveBranch(head, await nextCommit(repository, head, { edited: 'next' }));
});

test('a file that a person took out of git and ignores stays theirs, and out of it', async () => {
  const { repository, head } = await fixture.project({ '.env': 'SECRET=1\n', folder: 'a file\n' });
  const { folder } = repository;
  await fixture.git(folder, ['rm', '-q', '--cached', '.env', 'folder']);
  await put(folder, '.gitignore', '.env\n');
  await rm(join(folder, 'folder'));
  await put(folder, 'folder/inner', 'x');
  expect(await repository.hasUncommittedChanges()).toBe(true);
  const { head: after } = await repository.commitPersonChanges();
  expect(await repository.listFiles(after)).toEqual(['.gitignore', 'folder/inner']);
  expect(await status(folder)).toBe('');
  expect(await readFile(join(folder, '.env'), 'utf8')).toBe('SECRET=1\n');
  await repository.moveBranch(after, await nextCommit(repository, after, { next: 'x' }));
  expect(await readFile(join(folder, '.env'), 'utf8')).toBe('SECRET=1\n');
  expect(after).not.toBe(head);
});

test('what was staged and undone before the first commit leaves nothing to commit', async () => {
  const folder = await fixture.folder();
  await fixture.git(folder, ['init', '-q']);
  await put(folder, 'a', 'x');
  await fixture.git(folder, ['add', 'a']);
  await rm(join(folder, 'a'));
  const repository = await openProjectRepository({ folder, environment: fixture.environment });
  await expect(repository.commitPersonChanges()).rejects.toMatchObject({ code: 'NoCommit' });
  expect(await status(folder)).toBe('');
});

test('a change made in the same instant as the index was written is not missed', async () => {
  const { repository } = await fixture.project({ a: '11' });
  for (const content of ['22', '33']) {
    await writeFile(join(repository.folder, 'a'), content);
    const { head } = await repository.commitPersonChanges();
    expect(String(await repository.readFile(head, 'a'))).toBe(content);
  }
});

test("the person is who their own configuration says, their repository's above the global one; without one, the last author who is not the harness, or the owner", async () => {
  const { repository, head } = await fixture.project();
  const { folder } = repository;
  let changes = 0;
  const commit = async (by: ProjectRepository) => {
    changes += 1;
    await put(folder, 'x', String(changes));
    await by.commitPersonChanges();
    return author(folder);
  };
  expect(await commit(repository)).toBe('Project owner <owner@localhost> Longhaul');

  await fixture.git(folder, ['reset', '-q', '--hard', head]);
  await fixture.git(folder, ['commit', '-q', '--allow-empty', '-m', 'by Ada']);
  const ada = (await repository.head()) ?? '';
  const tree = await repository.treeOf(head);
  const next = await repository.commit({ tree, parents: [ada], message: 'ours', trailers: {} });
  await repository.moveBranch(ada, next);
  expect(await commit(repository)).toBe('Ada <ada@example.org> Longhaul');

  const home = await fixture.folder();
  await put(home, 'work', '[user]\n\temail = grace@work.example\n');
  await put(home, '.gitconfig', '[user]\n\tname = Grace\n\temail = grace@example.org\n[include]\n\tpath = work\n');
  const open = () => openProjectRepository({ folder, environment: { PATH: process.env.PATH, HOME: home } });
  expect(await commit(await open())).toBe('Grace <grace@work.example> Longhaul');
  await fixture.git(folder, ['config', 'user.name', 'Admiral']);
  expect(await commit(await open())).toBe('Admiral <grace@work.example> Longhaul');
});

test("the person's own ignore file is not overlooked", async () => {
  const home = await fixture.folder();
  await put(home, '.gitconfig', '[core]\n\texcludesFile = ~/.ignore\n');
  await put(home, '.ignore', '.DS_Store\n');
  const folder = await fixture.folder();
  await put(folder, '.DS_Store', 'x');
  await put(folder, 'a', 'x');
  const environment = { PATH: process.env.PATH, HOME: home };
  const repository = await createProjectRepository({ folder, environment, adopt: true });
  expect(await repository.listFiles('main')).toEqual(['a']);
});

test('killed with SIGKILL anywhere, the next call commits once', async () => {
  const { repository, head } = await fixture.project({ a: '1', b: '1' });
  await put(repository.folder, 'a', '2');
  await rm(join(repository.folder, 'b'));
  await put(repository.folder, 'c', '1');
  const killed = await createKilledProcess(fixture.root, fixture.environment);
  const commands = await killed.commands(await fixture.copy(repository.folder), 'repository.commitPersonChanges()');
  expect(commands.filter((command) => command.startsWith('update-ref'))).toHaveLength(1);
  for (const [number, orphan] of deathsIn(commands)) {
    const folder = await fixture.copy(repository.folder);
    const letOrphanRun = await killed.killAt(folder, 'repository.commitPersonChanges()', number, orphan);
    await letOrphanRun();
    const again = await openProjectRepository({ folder, environment: fixture.environment });
    const { head: after } = await again.commitPersonChanges();
    expect((await again.log(after)).map((entry) => entry.commit)).toEqual([after, head]);
    expect(await again.listFiles(after)).toEqual(['a', 'c']);
    expect(await status(folder)).toBe('');
  }
});

test('files whose names are together too long for an argument list are no trouble', async () => {
  const { repository, head } = await fixture.project();
  const long = Array(12).fill('a-folder-with-a-very-long-name-'.repeat(7)).join('/');
  const files = Array.from({ length: 1_000 }, (_, number) => ({
    path: `${long}/${number}.txt`,
    content: `${number}\n`,
  })); // 2.6 MB, where Linux takes 2 MB
  const tree = await repository.writeTree(files, await repository.treeOf(head));
  const next = await repository.commit({ tree, parents: [head], message: 'many', trailers: {} });
  await repository.moveBranch(head, next);
  expect(await repository.hasUncommittedChanges()).toBe(false);
  await rm(join(repository.folder, 'a-folder-with-a-very-long-name-'.repeat(7)), { recursive: true });
  const { committed } = await repository.commitPersonChanges();
  expect(await repository.changedFiles(next, committed ?? '')).toHaveLength(files.length);
  const diff = await repository.diff(next, committed ?? '');
  expect(diff.match(/^diff --git/gm)).toHaveLength(files.length);
});
