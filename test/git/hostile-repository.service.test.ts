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

async function attack(settings: (touch: string) => Record<string, string>, attributes = '') {
  const files = { 'README.md': 'hello\n', '.gitattributes': attributes };
  const { repository, head } = await fixture.project(files);
  const traces = await fixture.folder();
  const script = join(traces, 'attack.sh');
  await put(traces, 'attack.sh', `#!/bin/sh\ntouch ${traces}/ran\ncat\n`, 0o755);
  for (const [key, value] of Object.entries(settings(script))) {
    await fixture.git(repository.folder, ['config', '--add', key, value]);
  }
  return { repository, head, traces };
}

test('hooks of the repository do not run', async () => {
  const { repository, head, traces } = await attack(() => ({ 'core.hooksPath': '.hooks' }));
  const names = ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction', 'post-commit', 'update'];
  for (const folder of ['.hooks', '.git/hooks']) {
    for (const name of names)
      await put(repository.folder, join(folder, name), `#!/bin/sh\ntouch ${traces}/ran\n`, 0o755);
  }
  await exercise(repository, head);
  expect(await readdir(traces)).toEqual(['attack.sh']);
  await fixture.git(repository.folder, ['commit', '-q', '--allow-empty', '-m', 'the attack is real']);
  expect(await readdir(traces)).toEqual(['attack.sh', 'ran']);
});

test('filter, diff and merge drivers of the repository do not run', async () => {
  const { repository, head, traces } = await attack(
    (script) => ({
      'filter.x=y.clean': script,
      'filter.x=y.smudge': script,
      'filter.x=y.required': 'true',
      'filter.z.process': script,
      'filter.z.required': 'true',
      'diff.d.command': script,
      'diff.d.textconv': script,
      'merge.m.driver': script,
      'diff.external': script,
    }),
    'README.md merge=m diff=d\n*.txt filter=z diff=d\n*.md filter=x=y\n',
  );
  await exercise(repository, head);
  expect(await readdir(traces)).toEqual(['attack.sh']);
  await put(repository.folder, 'README.md', 'changed\n');
  await fixture.git(repository.folder, ['diff', '--ext-diff']).catch(() => '');
  expect(await readdir(traces)).toEqual(['attack.sh', 'ran']);
});

test('a filter that the configuration includes from another file does not run', async () => {
  const { repository, head, traces } = await attack(() => ({ 'include.path': '../more-config' }), '* filter=z\n');
  await put(repository.folder, 'more-config', '[user]\n\tname = nobody\n');
  await repository.hasUncommittedChanges(); // caches the configuration, of which only the included file will change
  await put(repository.folder, 'more-config', `[filter "z"]\n\tclean = ${traces}/attack.sh\n\trequired\n`);
  await exercise(repository, head);
  expect(await readdir(traces)).toEqual(['attack.sh']);
});

test('fsmonitor, ssh, pager, signing and credential programs do not run', async () => {
  const { repository, head, traces } = await attack((script) => ({
    'core.fsmonitor': script,
    'core.sshCommand': script,
    'core.pager': script,
    'core.editor': script,
    'core.askPass': script,
    'core.alternateRefsCommand': script,
    'gpg.program': script,
    'commit.gpgSign': 'true',
    'log.showSignature': 'true',
    'credential.helper': script,
    'uploadpack.packObjectsHook': script,
    'trailer.longhaul-author.command': script,
    'gc.auto': '1',
  }));
  await exercise(repository, head);
  expect(await readdir(traces)).toEqual(['attack.sh']);
  await fixture.git(repository.folder, ['status']);
  expect(await readdir(traces)).toEqual(['attack.sh', 'ran']);
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
  const { repository, head, traces } = await attack(() => ({}));
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
    await fixture.git(join(repository.folder, name), ['config', 'core.fsmonitor', join(traces, 'attack.sh')]);
  }
  await exercise(repository, head);
  expect(await readdir(traces)).toEqual(['attack.sh']);
  expect(await repository.listFiles('main')).not.toContain('untracked');
  await fixture.git(repository.folder, ['status']);
  expect(await readdir(traces)).toEqual(['attack.sh', 'ran']);
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
