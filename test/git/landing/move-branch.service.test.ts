import { lstat, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../../git/repository/project-repository.ts';
import { createGitFixture, type GitFixture, nextCommit, put } from '../git-fixture.ts';
import { createKilledProcess, deathsIn, type KilledProcess } from '../killed-process.ts';

let fixture: GitFixture;
let killed: KilledProcess;
beforeAll(async () => {
  fixture = await createGitFixture();
  killed = await createKilledProcess(fixture.root, fixture.environment);
});
afterAll(() => fixture.remove());

const status = (folder: string) => fixture.git(folder, ['status', '--porcelain']);
const copyOf = (folder: string) => fixture.copy(folder);
const read = (repository: ProjectRepository, path: string) => readFile(join(repository.folder, path), 'utf8');

/** A project whose next commit changes, adds and deletes files, replaces a file by a folder and a folder by a file. */
async function prepared() {
  const { repository, head } = await fixture.project({
    'change.txt': 'old\n',
    'delete.txt': 'old\n',
    'to-folder': 'old\n',
    'to-file/inner': 'old\n',
    'keep/same.txt': 'same\n',
  });
  const tree = await repository.writeTree([
    { path: 'change.txt', content: 'new content of many words\n' },
    { path: 'added/deep/file.sh', content: '#!/bin/sh\n', executable: true },
    { path: 'to-folder/inner', content: 'new\n' },
    { path: 'to-file', content: 'new\n' },
    { path: 'keep/same.txt', content: 'same\n' },
  ]);
  const next = await repository.commit({ tree, parents: [head], message: 'Next', trailers: {} });
  await repository.keep('refs/longhaul/next', next);
  return { repository, head, next };
}

async function expectMoved(repository: ProjectRepository, next: string) {
  expect(await repository.head()).toBe(next);
  expect(await status(repository.folder)).toBe('');
  expect(await read(repository, 'change.txt')).toBe('new content of many words\n');
  expect((await lstat(join(repository.folder, 'added/deep/file.sh'))).mode & 0o100).toBe(0o100);
  expect((await readdir(repository.folder)).sort()).toEqual([
    '.git',
    'added',
    'change.txt',
    'keep',
    'to-file',
    'to-folder',
  ]);
  expect((await readdir(join(repository.folder, '.git'))).filter((name) => name.includes('lock'))).toEqual([]);
  expect(await readdir(join(repository.folder, '.git/longhaul'))).toEqual([]);
}

test('the working directory follows the branch, there and back, also one that is there already', async () => {
  const { repository, head, next } = await prepared();
  await repository.moveBranch(head, next);
  await expectMoved(repository, next);
  await repository.moveBranch(head, next);
  await expectMoved(repository, next);
  await repository.moveBranch(next, head);
  expect(await status(repository.folder)).toBe('');
  expect(await read(repository, 'to-file/inner')).toBe('old\n');
  // Where only the branch is there already.
  await fixture.git(repository.folder, ['update-ref', 'refs/heads/main', next]);
  await repository.moveBranch(head, next);
  await expectMoved(repository, next);
});

test('killed with SIGKILL anywhere, the next call finishes the move', async () => {
  const { repository, head, next } = await prepared();
  const call = `repository.moveBranch('${head}', '${next}')`;
  const commands = await killed.commands(await copyOf(repository.folder), call);
  expect(commands.filter((command) => /^(update-ref|read-tree -m)/.test(command))).toHaveLength(2);
  const seen = { before: 0, after: 0 };
  for (const [number, orphan] of deathsIn(commands)) {
    const folder = await copyOf(repository.folder);
    const letOrphanRun = await killed.killAt(folder, call, number, orphan);
    const [again, other] = await Promise.all(
      [folder, await copyOf(folder)].map((name) =>
        openProjectRepository({ folder: name, environment: fixture.environment }),
      ),
    );
    await letOrphanRun();
    await again?.moveBranch(head, next);
    if (again) await expectMoved(again, next);
    const found = await other?.commitPersonChanges();
    expect({ number, orphan, committed: found?.committed }).toEqual({ number, orphan, committed: undefined });
    expect(await status(other?.folder ?? '')).toBe('');
    seen[found?.head === next ? 'after' : 'before'] += 1;
  }
  expect(seen).toEqual({ before: expect.any(Number), after: expect.any(Number) });
  expect(Math.min(seen.before, seen.after)).toBeGreaterThan(1);
});

test("files half-written by a killed git are not taken for a person's edits, and a person's edits while Longhaul was down are kept", async () => {
  const { repository, head, next } = await prepared();
  await killed.killAt(repository.folder, `repository.moveBranch('${head}', '${next}')`, 'read-tree -m', 'never-starts');
  const folder = await copyOf(repository.folder);
  await put(repository.folder, 'change.txt', 'new content of');
  await rm(join(repository.folder, 'delete.txt'));
  await put(repository.folder, 'added/deep/file.sh', '', 0o755);
  await rm(join(repository.folder, 'to-file'), { recursive: true });
  const again = await openProjectRepository({ folder: repository.folder, environment: fixture.environment });
  expect(await again.commitPersonChanges()).toEqual({ head: next });
  await expectMoved(again, next);

  for (const path of ['change.txt', 'delete.txt', 'keep/same.txt']) await put(folder, path, 'by hand\n');
  const edited = await openProjectRepository({ folder, environment: fixture.environment });
  await edited.moveBranch(head, next);
  expect(await read(edited, 'change.txt')).toBe('by hand\n');
  expect(await read(edited, 'to-folder/inner')).toBe('new\n');
  const { committed } = await edited.commitPersonChanges();
  expect(await edited.changedFiles(next, committed ?? '')).toEqual([
    { path: 'change.txt', change: 'modified' },
    { path: 'delete.txt', change: 'added' },
    { path: 'keep/same.txt', change: 'modified' },
  ]);
});

test('changes that are not committed stop the move and stay, and a branch that somebody moved is left where they put it', async () => {
  const { repository, head, next } = await prepared();
  for (const [path, content] of [
    ['change.txt', 'edited\n'],
    ['untracked.txt', 'new\n'],
  ] as const) {
    await put(repository.folder, path, content);
    await expect(repository.moveBranch(head, next)).rejects.toMatchObject({
      code: 'UncommittedChanges',
      paths: [path],
    });
    expect(await read(repository, path)).toBe(content);
    await fixture.git(repository.folder, ['checkout', '-q', '.']);
    await fixture.git(repository.folder, ['clean', '-fdq']);
  }
  expect(await repository.head()).toBe(head);

  await put(repository.folder, 'mine', 'x');
  await fixture.git(repository.folder, ['add', '.']);
  await fixture.git(repository.folder, ['commit', '-q', '-m', 'mine']);
  const mine = await repository.head();
  await expect(repository.moveBranch(head, next)).rejects.toMatchObject({ code: 'BranchMoved' });
  await expect(repository.moveBranch(undefined, next)).rejects.toMatchObject({
    code: 'BranchMoved',
    found: mine,
    message: expect.stringContaining('at no commit, found it at'),
  });
  expect(await repository.head()).toBe(mine);
  expect(await status(repository.folder)).toBe('');
});

test('an ignored file is not overwritten by a file of the commit', async () => {
  const { repository, head } = await fixture.project({ '.gitignore': '.env\nbuild\nout\n' });
  await put(repository.folder, '.env', 'SECRET=1\n');
  await put(repository.folder, 'build/cache/entry', 'cached\n');
  await put(repository.folder, 'out', 'a file\n');
  const next = await nextCommit(repository, head, { '.env': 'X=2\n', build: 'x\n', 'out/file': 'x\n' });
  await expect(repository.moveBranch(head, next)).rejects.toMatchObject({
    code: 'FilesInTheWay',
    paths: ['.env', 'build/cache/entry', 'out'],
  });
  expect(await repository.head()).toBe(head);
  expect(await read(repository, '.env')).toBe('SECRET=1\n');
  const same = await nextCommit(repository, head, { '.env': 'SECRET=1\n' });
  await repository.moveBranch(head, same);
  expect(await read(repository, 'build/cache/entry')).toBe('cached\n');
  expect(await status(repository.folder)).toBe('');
});

test('another branch that a person has checked out is not touched', async () => {
  const { repository, head, next } = await prepared();
  await fixture.git(repository.folder, ['switch', '-q', '-c', 'mine']);
  await put(repository.folder, 'change.txt', 'my edit\n');
  expect(await repository.hasUncommittedChanges()).toBe(false);
  expect(await repository.commitPersonChanges()).toEqual({ head });
  const opened = await openProjectRepository({
    folder: repository.folder,
    branch: 'main',
    environment: fixture.environment,
  });
  await opened.moveBranch(head, next);
  expect(await opened.head()).toBe(next);
  expect(await fixture.git(repository.folder, ['rev-parse', 'HEAD'])).toBe(head);
  expect(await read(repository, 'change.txt')).toBe('my edit\n');
  expect(await status(repository.folder)).toBe(' M change.txt');
});

test('a branch that another worktree has checked out is not moved under it', async () => {
  const { repository, head, next } = await prepared();
  await fixture.git(repository.folder, ['switch', '-q', '-c', 'mine']);
  const other = join(await fixture.folder(), 'worktree');
  await fixture.git(repository.folder, ['worktree', 'add', '-q', other, 'main']);
  await expect(repository.moveBranch(head, next)).rejects.toMatchObject({ code: 'BranchCheckedOutElsewhere' });
  const opened = await openProjectRepository({ folder: other, environment: fixture.environment });
  await opened.moveBranch(head, next);
  expect(await status(other)).toBe('');
  await fixture.git(repository.folder, ['worktree', 'remove', other]);
  await repository.moveBranch(next, head);
  expect(await repository.head()).toBe(head);
});

test.each(['a submodule', 'a repository whose git folder is elsewhere'])(
  '%s is not taken for another worktree that has the branch',
  async (kind) => {
    const { repository, head } = await prepared();
    const parent = await fixture.folder();
    const folder = join(parent, 'inner');
    if (kind === 'a submodule') {
      await fixture.git(parent, ['init', '-q']);
      await fixture.git(parent, [
        '-c',
        'protocol.file.allow=always',
        'submodule',
        'add',
        '-q',
        repository.folder,
        folder,
      ]);
    } else {
      await fixture.git(parent, ['clone', '-q', '--separate-git-dir', join(parent, 'git'), repository.folder, folder]);
    }
    const opened = await openProjectRepository({ folder, environment: fixture.environment });
    const next = await nextCommit(opened, head, { 'change.txt': 'new\n' });
    await opened.moveBranch(head, next);
    expect(await status(folder)).toBe('');
    await fixture.git(folder, ['switch', '-q', '-c', 'mine']);
    const other = join(parent, 'worktree');
    await fixture.git(folder, ['worktree', 'add', '-q', other, 'main']);
    const ofMain = await openProjectRepository({ folder, branch: 'main', environment: fixture.environment });
    await expect(ofMain.moveBranch(next, head)).rejects.toMatchObject({ code: 'BranchCheckedOutElsewhere' });
  },
);

test('a merge or rebase of a person is not trodden on', async () => {
  const { repository, head, next } = await prepared();
  await fixture.git(repository.folder, ['branch', 'other', next]);
  await put(repository.folder, 'change.txt', 'conflicting\n');
  const { head: mine } = await repository.commitPersonChanges();
  const further = await nextCommit(repository, mine, { more: 'x\n' });
  for (const operation of ['merge', 'rebase', 'cherry-pick']) {
    await fixture.git(repository.folder, [operation, 'other']).catch(() => '');
    await expect(repository.moveBranch(mine, further)).rejects.toMatchObject({ code: 'RepositoryBusy' });
    await expect(repository.commitPersonChanges()).rejects.toThrow(`git ${operation} --abort`);
    await fixture.git(repository.folder, [operation, '--abort']);
  }
  expect(head).not.toBe(mine);
  await repository.moveBranch(mine, further);
  expect(await status(repository.folder)).toBe('');
});

test('a lock that stays is reported with what to do', async () => {
  const { repository, head, next } = await prepared();
  const lock = join(repository.folder, '.git/index.lock');
  await writeFile(lock, '');
  await expect(repository.moveBranch(head, next)).rejects.toMatchObject({
    code: 'RepositoryLocked',
    message: expect.stringContaining(`delete the file`),
  });
  await rm(lock);
  await repository.moveBranch(head, next);
  await expectMoved(repository, next);
});

test('calls at the same time do not trip over each other', async () => {
  const { repository, head, next } = await prepared();
  const other = await openProjectRepository({ folder: repository.folder, environment: fixture.environment });
  await Promise.all([
    repository.moveBranch(head, next),
    other.moveBranch(head, next),
    other.hasUncommittedChanges(),
    repository.commitPersonChanges(),
  ]);
  await expectMoved(repository, next);
});

test('file names with quotes, line breaks and other encodings than UTF-8 survive', async () => {
  const { repository, head } = await fixture.project();
  const names = [
    Buffer.from('caf\xe9', 'latin1'),
    Buffer.from('a\n"b"\t'),
    Buffer.from(':(top)*'),
    Buffer.from('größe'),
  ];
  for (const name of names) await writeFile(Buffer.concat([Buffer.from(`${repository.folder}/`), name]), 'x');
  await symlink('café', join(repository.folder, '-link'));
  const { head: person } = await repository.commitPersonChanges();
  expect(await status(repository.folder)).toBe('');
  expect(await repository.readFile(person, 'a\n"b"\t')).toEqual(Buffer.from('x'));
  expect(await repository.readFile(person, ':(top)*')).toEqual(Buffer.from('x'));
  await repository.moveBranch(person, head);
  expect((await readdir(repository.folder)).sort()).toEqual(['.git', 'README.md']);
  await repository.moveBranch(head, person);
  expect(await status(repository.folder)).toBe('');
  expect(await readdir(repository.folder, 'buffer')).toContainEqual(names[0]);
});
