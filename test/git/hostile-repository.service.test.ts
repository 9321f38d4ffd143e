import { lstat, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectRepository } from '../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { createGitFixture, type GitFixture, nextCommit, put } from './git-fixture.ts';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture.remove());

/** Calls everything that Longhaul does with a project's repository, once. */
async function exercise(repository: ProjectRepository, head: string): Promise<void> {
  await put(repository.folder, 'by-hand.txt', 'by hand\n');
  await repository.hasUncommittedChanges();
  const { head: person } = await repository.commitPersonChanges();
  const ours = await nextCommit(repository, person, { 'README.md': 'hello\nours\n', 'new.txt': 'x\n' });
  const onto = await nextCommit(repository, person, { 'README.md': 'onto\nhello\n', 'other.txt': 'y\n' });
  await repository.mergeTrees({ base: person, ours, onto });
  await repository.moveBranch(person, ours);
  await repository.diff(head, ours);
  await repository.diff(head, ours, { stat: true });
  await repository.changedFiles(head, ours);
  await repository.log('main');
  await repository.readFile(ours, 'README.md');
  await repository.checkedOutSums(ours, await repository.listFiles(ours));
  await repository.keep('refs/longhaul/kept', onto);
  const snapshot = await fixture.snapshot(repository, ours, (workspace) => put(workspace, 'made.txt', 'made\n'));
  await repository.importSnapshot(snapshot.bundle, snapshot.commit, ours);
}

/** A project whose configuration names a program for each of these keys; one that runs leaves its key behind. */
async function attack(keys: string[], settings: Record<string, string> = {}, attributes = '') {
  const { repository, head } = await fixture.project({ 'README.md': 'hello\n', '.gitattributes': attributes });
  const traces = await fixture.folder();
  const programs = await fixture.folder();
  const program = async (name: string) => {
    await put(programs, name, `#!/bin/sh\ntouch '${traces}/${name}'\ncat\n`, 0o755);
    return join(programs, name);
  };
  const values = await Promise.all(keys.map(async (key): Promise<[string, string]> => [key, await program(key)]));
  for (const [key, value] of [...values, ...Object.entries(settings)]) {
    await fixture.git(repository.folder, ['config', '--add', key, value]);
  }
  return { repository, head, program, ran: () => readdir(traces) };
}

test('hooks, drivers and programs that the configuration of the repository names do not run', async () => {
  const drivers = ['filter.x=y.clean', 'filter.x=y.smudge', 'filter.z.process', 'diff.d.command', 'diff.d.textconv'];
  const { repository, head, program, ran } = await attack(
    [
      ...drivers,
      'merge.m.driver',
      'diff.external',
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'core.editor',
      'core.askPass',
      'core.alternateRefsCommand',
      'gpg.program',
      'credential.helper',
      'uploadpack.packObjectsHook',
      'trailer.longhaul-author.command',
    ],
    {
      'core.hooksPath': '.hooks',
      'filter.x=y.required': 'true',
      'filter.z.required': 'true',
      'commit.gpgSign': 'true',
      'log.showSignature': 'true',
      'gc.auto': '1',
    },
    'README.md merge=m diff=d\n*.txt filter=z diff=d\n*.md filter=x=y\n',
  );
  const hooks = ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction', 'post-commit', 'update'];
  for (const folder of ['.hooks', '.git/hooks']) {
    for (const name of hooks)
      await put(repository.folder, join(folder, name), `#!/bin/sh\nexec '${await program(name)}' </dev/null\n`, 0o755);
  }
  await exercise(repository, head);
  expect(await ran()).toEqual([]);

  // The attack is real: a person's git runs them.
  await put(repository.folder, 'README.md', 'changed\n');
  await fixture.git(repository.folder, ['diff', '--ext-diff']).catch(() => '');
  const signed = ['commit', '-q', '--allow-empty', '-m', 'signed'];
  await fixture.git(repository.folder, signed).catch(() => '');
  const real = ['core.fsmonitor', 'diff.d.command', 'filter.x=y.clean', 'gpg.program', 'pre-commit'];
  expect(await ran()).toEqual(expect.arrayContaining(real));
});

test('a filter that the configuration includes from another file does not run', async () => {
  const { repository, head, program, ran } = await attack([], { 'include.path': '../more-config' }, '* filter=z\n');
  await put(repository.folder, 'more-config', '[user]\n\tname = nobody\n');
  await repository.hasUncommittedChanges(); // caches the configuration, of which only the included file will change
  await put(repository.folder, 'more-config', `[filter "z"]\n\tclean = ${await program('clean')}\n\trequired\n`);
  await exercise(repository, head);
  expect(await ran()).toEqual([]);
});

test('variables and a global configuration of the caller make git run nothing', async () => {
  const { repository, head } = await fixture.project({ 'README.md': 'x\n', '.gitattributes': '* filter=global\n' });
  const traces = await fixture.folder();
  await put(traces, 'attack.sh', `#!/bin/sh\ntouch ${traces}/ran\n`, 0o755);
  const home = await fixture.folder();
  await put(
    home,
    '.gitconfig',
    `[core]\n\tfsmonitor = ${traces}/attack.sh\n\thooksPath = ${traces}\n[user]\n\tname = Grace\n[filter "global"]\n\tclean = ${traces}/attack.sh\n`,
  );
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_EXTERNAL_DIFF: `${traces}/attack.sh`,
    GIT_DIR: '/nonexistent',
    GIT_INDEX_FILE: '/nonexistent',
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${traces}/attack.sh'`,
  };
  await exercise(await openProjectRepository({ folder: repository.folder, environment }), head);
  expect(await readdir(traces)).toEqual(['attack.sh']);
});

test('a nested repository of the person has nothing of it run, and is not committed as a bare link', async () => {
  const { repository, head, program, ran } = await attack([]);
  for (const name of ['untracked', 'tracked']) {
    const inner = join(repository.folder, name);
    await mkdir(inner);
    await fixture.git(inner, ['init', '-q']);
    await fixture.git(inner, ['commit', '-q', '--allow-empty', '-m', 'x']);
    await put(inner, 'file', 'x');
  }
  await fixture.git(repository.folder, ['add', 'tracked']);
  await fixture.git(repository.folder, ['commit', '-q', '-m', 'a submodule']);
  for (const name of ['untracked', 'tracked']) {
    await fixture.git(join(repository.folder, name), ['config', 'core.fsmonitor', await program('fsmonitor')]);
  }
  await exercise(repository, head);
  expect(await ran()).toEqual([]);
  expect(await repository.listFiles('main')).not.toContain('untracked');
  await fixture.git(repository.folder, ['status']);
  expect(await ran()).toEqual(['fsmonitor']);
});

test('a link in the folder does not lead a checkout to write outside', async () => {
  const { repository, head } = await fixture.project({ 'README.md': 'x\n', 'd/old': 'old\n' });
  const outside = await fixture.folder();
  await put(outside, 'old', 'precious\n');
  await rm(join(repository.folder, 'd'), { recursive: true });
  await symlink(outside, join(repository.folder, 'd'));
  const next = await nextCommit(repository, head, { 'd/old': 'new\n', 'd/more': 'new\n' });
  await expect(repository.moveBranch(head, next)).rejects.toThrow('uncommitted');
  const { head: person } = await repository.commitPersonChanges();
  expect(await repository.listFiles(person)).toEqual(['README.md', 'd']);
  await repository.moveBranch(person, next);
  expect(await readFile(join(repository.folder, 'd/old'), 'utf8')).toBe('new\n');
  expect((await lstat(join(repository.folder, 'd'))).isDirectory()).toBe(true);
  expect(await readFile(join(outside, 'old'), 'utf8')).toBe('precious\n');
  expect(await readdir(outside)).toEqual(['old']);
});

test('an ignored link in the folder does not lead a checkout to write outside', async () => {
  const { repository, head } = await fixture.project({ '.gitignore': 'd\n' });
  const outside = await fixture.folder();
  await symlink(outside, join(repository.folder, 'd'));
  const next = await nextCommit(repository, head, { 'd/more': 'new\n' });
  await expect(repository.moveBranch(head, next)).rejects.toThrow('were not changed');
  expect(await readdir(outside)).toEqual([]);
  expect(await repository.head()).toBe(head);
});

test('a commit whose link points outside is not written through by the next commit', async () => {
  const { repository, head } = await fixture.project();
  const outside = await fixture.folder();
  const first = await fixture.snapshot(repository, head, (workspace) => symlink(outside, join(workspace, 'd')));
  await repository.importSnapshot(first.bundle, first.commit, head);
  await repository.moveBranch(head, first.commit);
  expect((await lstat(join(repository.folder, 'd'))).isSymbolicLink()).toBe(true);
  const second = await fixture.snapshot(repository, first.commit, async (workspace) => {
    await rm(join(workspace, 'd'));
    await put(workspace, 'd/file', 'x\n');
  });
  await repository.importSnapshot(second.bundle, second.commit, first.commit);
  await repository.moveBranch(first.commit, second.commit);
  expect(await readFile(join(repository.folder, 'd/file'), 'utf8')).toBe('x\n');
  expect(await readdir(outside)).toEqual([]);
  expect(await repository.readFile(first.commit, 'd')).toBeUndefined();
});
