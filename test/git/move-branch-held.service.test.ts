import { chmod, chown, lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectRepository } from '../../git/repository/open-project-repository.ts';
import { createGitFixture, type GitFixture, nextCommit, put } from './git-fixture.ts';
import { createKilledProcess, type KilledProcess } from './killed-process.ts';

let fixture: GitFixture;
let killed: KilledProcess;
beforeAll(async () => {
  fixture = await createGitFixture();
  killed = await createKilledProcess(fixture.root, fixture.environment);
});
afterAll(() => fixture.remove());

async function prepared() {
  const { repository, head } = await fixture.project({ 'change.txt': 'old\n', 'lib/change.txt': 'old\n' });
  const next = await nextCommit(repository, head, { 'change.txt': 'new\n', 'lib/change.txt': 'new\n' });
  await repository.keep('refs/longhaul/next', next);
  const flag = (name: string) => fixture.git(repository.folder, ['update-index', `--${name}`, 'change.txt']);
  const read = (path: string) => readFile(join(repository.folder, path), 'utf8');
  return { repository, folder: repository.folder, head, next, flag, read };
}

test.each(['skip-worktree', 'assume-unchanged'])(
  'a file marked %s is updated, or the branch does not move',
  async (name) => {
    const { repository, folder, head, next, flag, read } = await prepared();
    await flag(name);
    const refused = {
      code: 'FilesHeld',
      message: expect.stringContaining(`"git update-index --no-${name} change.txt"`),
    };
    for (const content of ['old\n', 'edited\n']) {
      await put(folder, 'change.txt', content);
      await expect(repository.checkMove(head, next)).rejects.toMatchObject(refused);
      await expect(repository.moveBranch(head, next)).rejects.toMatchObject(refused);
      expect([await repository.head(), await read('change.txt')]).toEqual([head, content]);
      expect(await readdir(join(folder, '.git/longhaul'))).toEqual([]);
    }
    await put(folder, 'change.txt', 'old\n');
    await flag(`no-${name}`);
    await repository.moveBranch(head, next);
    expect([await repository.head(), await read('change.txt')]).toEqual([next, 'new\n']);
  },
);

const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot('a person is told why files cannot follow into a folder of another user', async () => {
  const { repository, folder, head, next, read } = await prepared();
  const user = 1000;
  for (const path of [fixture.root, folder]) await chmod(path, 0o755);
  for (const path of ['', ...(await readdir(folder, { recursive: true }))]) {
    if (path !== 'lib') await chown(join(folder, path), user, user);
  }
  const complaint = await killed.complaintOf(folder, `repository.moveBranch('${head}', '${next}')`, user);
  expect(complaint).toContain("code: 'FilesNotFollowed'");
  expect(complaint).toContain('lib/change.txt');
  expect([await repository.head(), await read('lib/change.txt')]).toEqual([next, 'old\n']);
  await chown(join(folder, 'lib'), user, user);
  expect(await killed.complaintOf(folder, `repository.moveBranch('${head}', '${next}')`, user)).toBe('');
  expect((await lstat(join(folder, 'lib/change.txt'))).uid).toBe(user);
});

test('a person is told that the branch has moved and its files have not', async () => {
  const { folder, head, next, read } = await prepared();
  const bin = await fixture.folder();
  const failing = `#!/bin/sh\ncase " $* " in *" read-tree -m "*) echo "fatal: no such luck" >&2; exit 128;; esac\nPATH=$\{PATH#*:} exec git "$@"\n`;
  await writeFile(join(bin, 'git'), failing, { mode: 0o755 });
  const environment = { ...fixture.environment, PATH: `${bin}:${fixture.environment.PATH}` };
  const failed = await openProjectRepository({ folder, environment });
  const told = {
    code: 'FilesNotFollowed',
    message: expect.stringMatching(/has moved.*no such luck.*Do not commit/),
  };
  await expect(failed.moveBranch(head, next)).rejects.toMatchObject(told);
  for (const call of [() => failed.commitPersonChanges(), () => failed.hasUncommittedChanges()])
    await expect(call()).rejects.toMatchObject(told);
  expect([await failed.head(), await read('change.txt')]).toEqual([next, 'old\n']);
  const mended = await openProjectRepository({ folder, environment: fixture.environment });
  expect(await mended.commitPersonChanges()).toEqual({ head: next });
  expect(await read('change.txt')).toBe('new\n');
});

test('an edit hidden by a mark set during the move is not committed', async () => {
  const { repository, folder, head, next, flag, read } = await prepared();
  const call = `repository.moveBranch('${head}', '${next}')`;
  await killed.killAt(folder, call, 'read-tree -m', 'never-starts');
  await rm(join(folder, '.git/index.lock'));
  await put(folder, 'change.txt', 'a secret\n');
  await flag('assume-unchanged');
  await expect(repository.commitPersonChanges()).rejects.toMatchObject({
    code: 'FilesNotFollowed',
    message: expect.stringContaining('--no-assume-unchanged change.txt'),
  });
  expect([await repository.head(), await read('change.txt')]).toEqual([next, 'a secret\n']);
});
