import { appendFile, lstat, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
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

/** Writes programs that leave a file of their name in `traces` when they run. */
async function createTraps() {
  const traces = await fixture.folder();
  const scripts = await fixture.folder();
  const content = (name: string) => `#!/bin/sh\ntouch '${traces}/${name}'\ncat\n`;
  const script = async (name: string) => {
    await put(scripts, name, content(name), 0o755);
    return join(scripts, name);
  };
  return {
    content,
    traces: () => readdir(traces),
    script,
  };
}

const hooks = ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction', 'post-commit', 'update'];
const nested = ['untracked', 'tracked'];
const programs = [
  'filter.x=y.clean',
  'filter.x=y.smudge',
  'filter.z.process',
  'diff.d.command',
  'diff.d.textconv',
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
];
const attributes = 'README.md merge=m diff=d\n*.txt filter=z diff=d\n*.md filter=x=y\nby-hand.txt filter=included\n';

/** A project that names a program wherever git runs one, with repositories of the person in its folder that do so too. */
async function createHostileProject() {
  const { repository, head } = await fixture.project({ 'README.md': 'hello\n', '.gitattributes': attributes });
  const { folder } = repository;
  const traps = await createTraps();
  for (const name of nested) {
    const inner = join(folder, name);
    await mkdir(inner);
    await fixture.git(inner, ['init', '-q']);
    await fixture.git(inner, ['commit', '-q', '--allow-empty', '-m', 'x']);
    await put(inner, 'file', 'x');
  }
  await fixture.git(folder, ['add', 'tracked']);
  await fixture.git(folder, ['commit', '-q', '-m', 'a submodule']);
  for (const name of nested)
    await fixture.git(join(folder, name), ['config', 'core.fsmonitor', await traps.script(`fsmonitor-of-${name}`)]);
  for (const name of hooks) {
    for (const where of ['.hooks', '.git/hooks']) await put(folder, join(where, name), traps.content(name), 0o755);
  }
  let settings =
    '[core]\n\thooksPath = .hooks\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n[gc]\n\tauto = 1\n';
  for (const key of programs) {
    const [, section, subsection, name] = key.match(/^(\w+)\.(?:(.+)\.)?(\w+)$/) ?? [];
    settings += `[${section}${subsection ? ` "${subsection}"` : ''}]\n\t${name} = ${await traps.script(key)}\n`;
  }
  settings += '[filter "x=y"]\n\trequired\n[filter "z"]\n\trequired\n[include]\n\tpath = ../more-config\n';
  await appendFile(join(folder, '.git/config'), settings);
  await put(folder, 'more-config', '[user]\n\tname = nobody\n');
  await repository.hasUncommittedChanges(); // caches the configuration, of which only the included file will change
  await put(folder, 'more-config', `[filter "included"]\n\tclean = ${await traps.script('included')}\n\trequired\n`);
  return { repository, head, traces: traps.traces };
}

test('nothing runs that a repository names: hooks, drivers, filters, monitors, pagers, signing and credential programs', async () => {
  const { repository, head, traces } = await createHostileProject();
  await exercise(repository, head);
  expect(await traces()).toEqual([]);
  // A nested repository is not committed as a bare link.
  expect(await repository.listFiles('main')).not.toContain('untracked');

  // The attacks are real.
  const { folder } = repository;
  const byHand = (...command: string[]) => fixture.git(folder, command).catch(() => '');
  await put(folder, 'by-hand.txt', 'changed\n');
  await byHand('add', 'by-hand.txt');
  await put(folder, '.gitattributes', 'README.md diff=d filter=x=y\n'); // drivers without a protocol
  await put(folder, 'README.md', 'changed\n');
  await byHand('status');
  await byHand('diff', '--ext-diff');
  await byHand('commit', '--allow-empty', '-m', 'mine');
  expect(await traces()).toEqual(
    expect.arrayContaining([
      'core.fsmonitor',
      'diff.d.command',
      'filter.x=y.clean',
      'fsmonitor-of-tracked',
      'gpg.program',
      'included',
      'post-index-change',
      'pre-commit',
    ]),
  );
});

test('variables and a global configuration of the caller make git run nothing', async () => {
  const { repository, head } = await fixture.project({ 'README.md': 'x\n', '.gitattributes': '* filter=global\n' });
  const { traces, script } = await createTraps();
  const home = await fixture.folder();
  await put(home, 'hooks/reference-transaction', await readFile(await script('global-hook')), 0o755);
  await put(
    home,
    '.gitconfig',
    `[core]
fsmonitor = ${await script('global-fsmonitor')}
hooksPath = ${home}/hooks
[user]
name = Grace
[filter "global"]
clean = ${await script('global-filter')}
`,
  );
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_EXTERNAL_DIFF: await script('variable-diff'),
    GIT_DIR: '/nonexistent',
    GIT_INDEX_FILE: '/nonexistent',
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${await script('variable-fsmonitor')}'`,
  };
  await exercise(await openProjectRepository({ folder: repository.folder, environment }), head);
  expect(await traces()).toEqual([]);
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
