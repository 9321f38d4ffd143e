import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openGit } from '../../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../../git/repository/project-repository.ts';
import { defaultSnapshotLimits, importSnapshot } from '../../../git/snapshot/import-snapshot.ts';
import { createGitFixture, type GitFixture, nextCommit, put } from '../git-fixture.ts';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture();
});
afterAll(() => fixture.remove());

async function expectNothingAdded(repository: ProjectRepository, commit: string) {
  expect(await repository.resolve(commit)).toBeUndefined();
  const objects = await readdir(join(repository.folder, '.git/objects'));
  expect(objects.filter((name) => name.startsWith('tmp_'))).toEqual([]);
}

test('work of a sandbox arrives, a second time too', async () => {
  const { repository, head } = await fixture.project();
  const snapshot = await fixture.snapshot(repository, head, async (workspace) => {
    await put(workspace, 'src/made.txt', 'made\n');
    await put(workspace, 'run.sh', '#!/bin/sh\n', 0o755);
  });
  const { tree } = await repository.importSnapshot(snapshot.bundle, snapshot.commit, head);
  expect(await repository.importSnapshot(snapshot.bundle, snapshot.commit, head)).toEqual({ tree });
  expect(await repository.treeOf(snapshot.commit)).toBe(tree);
  expect(await repository.listFiles(snapshot.commit)).toEqual(['README.md', 'run.sh', 'src/made.txt']);
  expect(await fixture.git(repository.folder, ['fsck', '--strict'])).not.toContain('error');
});

test("two files that differ only in case are refused if the folder's disk cannot store both", async () => {
  const { repository, head } = await fixture.project({
    'README.md': 'hello\n',
    'a/Größe.txt': 'x\n',
    'a/größe.txt': 'y\n',
  });
  const twins = await fixture.snapshot(repository, head, (workspace) => put(workspace, 'readme.md', 'twin\n'));
  const other = await fixture.snapshot(repository, head, async (workspace) => {
    await put(workspace, 'other.md', 'other\n');
    await fixture.git(workspace, ['mv', 'README.md', 'ReadMe.md']);
  });
  const take = ({ bundle, commit }: { bundle: Buffer; commit: string }) =>
    repository.importSnapshot(bundle, commit, head);
  await fixture.git(repository.folder, ['config', 'core.ignorecase', 'true']);
  await expect(take(twins)).rejects.toMatchObject({
    code: 'InvalidSnapshot',
    message: expect.stringContaining('README.md and readme.md differ only in case'),
  });
  await expectNothingAdded(repository, twins.commit);
  await expect(take(other)).resolves.toBeDefined();
  await fixture.git(repository.folder, ['config', 'core.ignorecase', 'false']);
  await expect(take(twins)).resolves.toBeDefined();
});

test('a new file whose name is not UTF-8 is refused, one that was there before is not', async () => {
  const { repository, head } = await fixture.project();
  const named = (folder: string) => Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.of(0xe9)]);
  const added = await fixture.snapshot(repository, head, (workspace) => writeFile(named(workspace), 'x\n'));
  await expect(repository.importSnapshot(added.bundle, added.commit, head)).rejects.toMatchObject({
    code: 'InvalidSnapshot',
    message: expect.stringContaining('is not UTF-8'),
  });
  await expectNothingAdded(repository, added.commit);
  await writeFile(named(repository.folder), 'x\n');
  const { head: present } = await repository.commitPersonChanges();
  const changed = await fixture.snapshot(repository, present, (workspace) => writeFile(named(workspace), 'y\n'));
  await expect(repository.importSnapshot(changed.bundle, changed.commit, present)).resolves.toBeDefined();
});

test('a nested repository is refused by its path, one that was there before is not', async () => {
  const { repository, head } = await fixture.project();
  const nest = async (workspace: string) => {
    await mkdir(join(workspace, 'vendor/inner'), { recursive: true });
    await fixture.git(join(workspace, 'vendor/inner'), ['init', '-q']);
    await fixture.git(join(workspace, 'vendor/inner'), ['commit', '-q', '--allow-empty', '-m', 'x']);
  };
  const snapshot = await fixture.snapshot(repository, head, nest);
  await expect(repository.importSnapshot(snapshot.bundle, snapshot.commit, head)).rejects.toMatchObject({
    code: 'NestedRepository',
    paths: ['vendor/inner'],
  });
  await expectNothingAdded(repository, snapshot.commit);

  await nest(repository.folder);
  await fixture.git(repository.folder, ['add', 'vendor/inner']);
  await fixture.git(repository.folder, ['commit', '-q', '-m', 'a submodule of the person']);
  const base = (await repository.head()) ?? '';
  const tree = await repository.writeTree([{ path: 'more', content: 'x' }], await repository.treeOf(base));
  const commit = await repository.commit({ tree, parents: [base], message: 'x', trailers: {} });
  const bundle = await fixture.bundle(repository.folder, commit, base);
  expect(await repository.importSnapshot(bundle, commit, base)).toEqual({ tree });
  await repository.moveBranch(base, commit);
  expect(await fixture.git(repository.folder, ['status', '--porcelain'])).toBe('');
});

test('a tree with an entry that a checkout would follow into .git or out of the folder is refused', async () => {
  const { repository, head } = await fixture.project();
  const workspace = await fixture.copy(repository.folder);
  const hook = await fixture.git(workspace, ['hash-object', '-w', '--stdin'], '#!/bin/sh\ntouch /tmp/owned\n');
  const hooks = await fixture.git(workspace, ['mktree'], `100755 blob ${hook}\tpost-checkout\n`);
  const inner = await fixture.git(workspace, ['mktree'], `040000 tree ${hooks}\thooks\n`);
  for (const name of ['.git', '.GIT', 'git~1', '..']) {
    const tree = await fixture.git(workspace, ['mktree'], `040000 tree ${inner}\t${name}\n`);
    const commit = await fixture.git(workspace, ['commit-tree', '-p', head, '-m', 'x', tree]);
    const bundle = await fixture.bundle(workspace, commit, head);
    const refusal = await repository.importSnapshot(bundle, commit, head).catch((error) => error);
    expect({ name, code: refusal.code }).toEqual({ name, code: 'InvalidSnapshot' });
    await expectNothingAdded(repository, commit);
  }
});

test('a commit on another base or outside the bundle is refused, and a bundle that is cut, changed, empty or of another project', async () => {
  const { repository, head } = await fixture.project();
  const next = await nextCommit(repository, head, { a: '1' });
  const snapshot = await fixture.snapshot(repository, head, (workspace) => put(workspace, 'b', 'x'.repeat(5000)));
  const { bundle, commit } = snapshot;
  await expect(repository.importSnapshot(bundle, commit, next)).rejects.toThrow('as the only parent');
  await expectNothingAdded(repository, commit);
  const missing = '1'.repeat(40);
  await expect(repository.importSnapshot(bundle, missing, head)).rejects.toThrow('does not contain the commit');
  await expect(repository.importSnapshot(bundle, 'main', head)).rejects.toMatchObject({ code: 'InvalidSnapshot' });
  await expect(repository.importSnapshot(bundle, commit, missing)).rejects.toMatchObject({ code: 'UnknownRevision' });

  const flipped = Buffer.from(bundle);
  flipped[flipped.length - 30] = (flipped[flipped.length - 30] ?? 0) ^ 0xff;
  for (const broken of [bundle.subarray(0, bundle.length - 40), flipped, Buffer.alloc(0), Buffer.from('hello\n\n')]) {
    await expect(repository.importSnapshot(broken, commit, head)).rejects.toMatchObject({ code: 'InvalidSnapshot' });
  }
  const elsewhere = await fixture.project({ other: 'x' });
  await expect(elsewhere.repository.importSnapshot(bundle, commit, elsewhere.head)).rejects.toThrow(
    `it builds on ${head}, which the project does not have`,
  );
  await expectNothingAdded(repository, commit);
});

test('a snapshot that would fill the disk is refused', async () => {
  const { repository, head } = await fixture.project();
  const snapshot = await fixture.snapshot(repository, head, async (workspace) => {
    for (let number = 0; number < 20; number += 1)
      await put(workspace, `zeros-${number}`, Buffer.alloc(100_000, number));
  });
  const { git } = await openGit({ folder: repository.folder, environment: fixture.environment });
  const request = { ...snapshot, base: head };
  for (const limits of [{ fileBytes: 1_000_000 }, { bundleBytes: 100 }, { listingBytes: 50 }]) {
    await expect(importSnapshot(git, request, { ...defaultSnapshotLimits, ...limits })).rejects.toMatchObject({
      code: 'BundleTooLarge',
    });
  }
  await expectNothingAdded(repository, snapshot.commit);
});

test('a tree that repeats itself a billion times is refused before it is listed', async () => {
  const { repository, head } = await fixture.project();
  const workspace = await fixture.copy(repository.folder);
  let object = await fixture.git(workspace, ['hash-object', '-w', '--stdin'], 'boom\n');
  let kind = '100644 blob';
  for (let level = 0; level < 9; level += 1) {
    const lines = Array.from({ length: 10 }, (_, number) => `${kind} ${object}\tboom-${number}\n`);
    object = await fixture.git(workspace, ['mktree'], lines.join(''));
    kind = '040000 tree';
  }
  const commit = await fixture.git(workspace, ['commit-tree', '-p', head, '-m', 'x', object]);
  const bundle = await fixture.bundle(workspace, commit, head);
  const { git } = await openGit({ folder: repository.folder, environment: fixture.environment });
  await expect(
    importSnapshot(git, { bundle, commit, base: head }, { ...defaultSnapshotLimits, listingBytes: 1_000_000 }),
  ).rejects.toMatchObject({ code: 'BundleTooLarge' });
  await expectNothingAdded(repository, commit);
});

test('hundreds of snapshots do not leave hundreds of packs', async () => {
  const { repository, head } = await fixture.project();
  const packs = join(repository.folder, '.git/objects/pack');
  const count = async () => (await readdir(packs)).filter((name) => name.endsWith('.pack')).length;
  // Each checkpoint ends a pack.
  const blob = (number: number) => `blob\nmark :${number}\ndata ${`${number}\n`.length}\n${number}\n\ncheckpoint\n`;
  const blobs = Array.from({ length: 60 }, (_, number) => blob(number + 1)).join('');
  const marks = join(await fixture.folder(), 'marks');
  const load = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', `--export-marks=${marks}`];
  await fixture.git(repository.folder, load, blobs);
  const objects = (await readFile(marks, 'utf8')).match(/\b[0-9a-f]{40}\b/g) ?? [];
  expect(objects).toHaveLength(60);
  const snapshot = await fixture.snapshot(repository, head, (workspace) => put(workspace, 'a', '1'));
  expect(await count()).toBe(60);
  await repository.importSnapshot(snapshot.bundle, snapshot.commit, head);
  expect(await count()).toBeLessThan(10);
  const kinds = await fixture.git(repository.folder, ['cat-file', '--batch-check=%(objecttype)'], objects.join('\n'));
  expect(new Set(kinds.split('\n'))).toEqual(new Set(['blob']));
  expect(await repository.listFiles(snapshot.commit)).toEqual(['README.md', 'a']);
});
