import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { openProjectRepository } from '../../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../../git/repository/project-repository.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createGitFixture, type GitFixture, nextCommit } from '../git-fixture.ts';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture.remove());

async function exported(repository: ProjectRepository, commit: string): Promise<string> {
  const folder = await fixture.folder();
  await execa('tar', ['-x', '-C', folder], { input: (await repository.exportGitFolder(commit)) as never });
  return folder;
}

const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('longhaul-export-'));

test('the copy is bare, holds the commit, and nothing of the repository besides', async () => {
  const { repository, head } = await fixture.project();
  await writeFile(join(repository.folder, '.git/hooks-and-secrets'), 'x');
  await fixture.git(repository.folder, ['config', 'remote.origin.url', 'https://user:secret@example.org/x']);
  const next = await nextCommit(repository, head, { b: '1' });
  const hidden = await nextCommit(repository, head, { d: '1' });
  await repository.keep('refs/longhaul/hidden', hidden);
  const folder = await exported(repository, next);
  expect(await fixture.git(folder, ['for-each-ref', '--format=%(refname) %(objectname)'])).toBe(
    `refs/heads/main ${next}`,
  );
  expect(await fixture.git(folder, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
  expect((await readdir(folder)).sort()).toEqual(
    expect.not.arrayContaining(['hooks', 'FETCH_HEAD', 'hooks-and-secrets']),
  );
  expect(await fixture.git(folder, ['config', '--local', '--list'])).not.toMatch(/remote|secret/);
  await expect(fixture.git(folder, ['cat-file', '-e', hidden])).rejects.toThrow();
  expect(await fixture.git(folder, ['fsck', '--strict'])).toBe('');
});

test('a long history is cut at 50 commits, of a repository that is shallow itself too', async () => {
  const { repository, head } = await fixture.project();
  const commit = (second: number) =>
    `commit refs/heads/main\ncommitter Ada <ada@example.org> ${second} +0000\ndata 0\n`;
  const more = Array.from({ length: 59 }, (_, index) => commit(1_800_000_000 + index));
  more.splice(1, 0, `from ${head}\n`);
  await fixture.git(repository.folder, ['fast-import', '--quiet'], more.join(''));
  const last = (await repository.head()) ?? '';
  const count = async (folder: string) => Number(await fixture.git(folder, ['rev-list', '--count', 'main']));
  expect(await count(await exported(repository, last))).toBe(50);
  for (const depth of [10, 55]) {
    const shallow = join(await fixture.folder(), 'shallow');
    await fixture.git(fixture.root, ['clone', '-q', `--depth=${depth}`, `file://${repository.folder}`, shallow]);
    const opened = await openProjectRepository({ folder: shallow, environment: fixture.environment });
    const folder = await exported(opened, last);
    expect(await count(folder)).toBe(Math.min(depth, 50));
    expect(await fixture.git(folder, ['fsck'])).toBe('');
    const snapshot = await fixture.snapshot(opened, last, (workspace) => writeFile(join(workspace, 'x'), '1'));
    await opened.importSnapshot(snapshot.bundle, snapshot.commit, last);
  }
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot('a repository that belongs to another user is not refused', async () => {
  const { repository, head } = await fixture.project();
  await execa('chown', ['-R', '12345:12345', repository.folder]);
  const opened = await openProjectRepository({ folder: repository.folder, environment: fixture.environment });
  expect(await fixture.git(await exported(opened, head), ['rev-parse', 'main'])).toBe(head);
  await writeFile(join(repository.folder, 'x'), '1');
  expect((await opened.commitPersonChanges()).committed).toBeDefined();
});

test('a repository with sha256 objects, at a path with spaces, percent signs and colons, is exported, imported and moved', async () => {
  const folder = join(await fixture.folder(), 'a b%20c:d"e');
  await fixture.git(fixture.root, ['init', '-q', '-b', 'main', '--object-format=sha256', folder]);
  await fixture.git(folder, ['commit', '-q', '--allow-empty', '-m', 'x']);
  const repository = await openProjectRepository({ folder, environment: fixture.environment });
  const head = (await repository.head()) ?? '';
  const next = await nextCommit(repository, head, { 'a/b': '1' });
  await repository.moveBranch(head, next);
  await repository.moveBranch(next, head);
  const snapshot = await fixture.snapshot(repository, head, (workspace) => writeFile(join(workspace, 'x'), '1'));
  await repository.importSnapshot(snapshot.bundle, snapshot.commit, head);
  expect(snapshot.commit).toHaveLength(64);
  await repository.moveBranch(head, snapshot.commit);
  expect(await fixture.git(folder, ['status', '--porcelain'])).toBe('');
});

test('an unknown commit leaves no temporary folder, nor does a reader that gives up', async () => {
  const { repository, head } = await fixture.project();
  const before = await leftovers();
  await expect(repository.exportGitFolder('nothing')).rejects.toThrow('has no commit');
  const stream = (await repository.exportGitFolder(head)) as NodeJS.ReadableStream & { destroy(): void };
  stream.destroy();
  await exported(repository, head);
  // Other processes export too, in the same folder: theirs come and go.
  const made = (await leftovers()).filter((name) => !before.includes(name));
  await waitFor('the temporary folders to go', async () => {
    const left = await leftovers();
    return !made.some((name) => left.includes(name));
  });
});
