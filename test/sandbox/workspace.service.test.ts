import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeRepository } from './make-repository.ts';
import { createTestSandboxes, outputOf, runIn } from './test-sandboxes.ts';

const host = createTestSandboxes();
let repository: Awaited<ReturnType<typeof makeRepository>>;

beforeAll(async () => {
  repository = await makeRepository({
    'a.txt': 'a\n',
    'folder/b.txt': 'b\n',
    '.gitignore': 'ignored/\n',
    'gone.txt': 'gone\n',
  });
});
afterAll(async () => {
  await host.closeAll();
  await repository.remove();
});

async function openLoaded() {
  const sandbox = await host.open();
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  return sandbox;
}

test('a workspace is filled at the commit, on branch work, with an identity, clean and writable; with another commit it is refused', async () => {
  const sandbox = await host.open();
  expect(await sandbox.loadedCommit()).toBeUndefined();
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  expect(await sandbox.loadedCommit()).toBe(repository.commit);
  const script =
    'git status --porcelain; git rev-parse HEAD; git symbolic-ref HEAD; cat folder/b.txt; git commit -q --allow-empty -m mine && git log --format="%an <%ae> %s" -1';
  expect((await outputOf(sandbox, 'look', script)).split('\n')).toEqual([
    repository.commit,
    'refs/heads/work',
    'b',
    'Longhaul agent <agent@longhaul.invalid> mine',
  ]);
  // Filling it again keeps the work.
  await runIn(sandbox, 'work', 'echo changed >a.txt');
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  expect(await outputOf(sandbox, 'look-again', 'cat a.txt')).toBe('changed');
  await expect(sandbox.loadWorkspace(repository.tar(), '0'.repeat(40))).rejects.toMatchObject({
    code: 'WorkspaceLoaded',
  });
});

test('what the .gitignore of a workspace names is no part of what it holds, unless it was known', async () => {
  const sandbox = await host.open();
  const file = (path: string) => ({ path, executable: false, content: Buffer.from(`of ${path}`) });
  await sandbox.placeFiles(['.gitignore', 'src/a.ts', 'ignored/known.txt'].map(file), 'copy-1');
  await runIn(
    sandbox,
    'build',
    'echo "ignored/" >.gitignore; mkdir -p ignored; touch ignored/built .hidden; ln -s /etc link',
  );
  const { files } = await sandbox.lookAtFiles(['.gitignore', 'src/a.ts', 'ignored/known.txt'], 100);
  expect(Object.keys(files).sort()).toEqual(['.gitignore', '.hidden', 'ignored/known.txt', 'src/a.ts']);
});

test('an interrupted load of the workspace is repeated', async () => {
  const sandbox = await host.open();
  const broken = Readable.from(
    (async function* () {
      let sent = 0;
      for await (const chunk of repository.tar()) {
        yield chunk;
        sent += (chunk as Buffer).length;
        if (sent > 8_000) throw new Error('the worker died');
      }
    })(),
  );
  await expect(sandbox.loadWorkspace(broken, repository.commit)).rejects.toThrow();
  await runIn(sandbox, 'debris', 'mkdir -p .git/objects; echo half >left-over');
  expect(await sandbox.loadedCommit()).toBeUndefined();
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  expect(await outputOf(sandbox, 'look', 'git status --porcelain; ls left-over 2>&1 | grep -c "No such"')).toBe('1');
});

test('a snapshot has what was added, changed and deleted, without ignored files; the same files give the same commit, unchanged ones too', async () => {
  const sandbox = await openLoaded();
  const unchanged = await sandbox.snapshot(repository.commit);
  await repository.take(unchanged.bundle, unchanged.commit);
  expect(await repository.git('rev-parse', `${unchanged.commit}^{tree}`)).toBe(
    await repository.git('rev-parse', `${repository.commit}^{tree}`),
  );
  await runIn(
    sandbox,
    'work',
    'echo changed >a.txt; mkdir new ignored; echo é >"new/ö file"; echo x >ignored/x; rm gone.txt; chmod +x folder/b.txt; git add a.txt; git commit -q -m "the agent may commit"',
  );
  const first = await sandbox.snapshot(repository.commit);
  const second = await sandbox.snapshot(repository.commit);
  expect(second.commit).toBe(first.commit);
  await repository.take(first.bundle, first.commit);
  expect(
    (
      await repository.git(
        '-c',
        'core.quotePath=false',
        'diff',
        '--raw',
        '--abbrev=4',
        `${repository.commit}..${first.commit}`,
      )
    )
      .split('\n')
      .map((line) => line.replace(/^:(\d+ \d+) \S+ \S+ /, '$1 ')),
  ).toEqual([
    '100644 100644 M\ta.txt',
    '100644 100755 M\tfolder/b.txt',
    '100644 000000 D\tgone.txt',
    '000000 100644 A\tnew/ö file',
  ]);
  expect(await repository.git('show', '-s', '--format=%P %an', first.commit)).toBe(`${repository.commit} Longhaul`);
});

test('work can be taken out of a repository with sha256 objects', async () => {
  const wide = await makeRepository({ 'a.txt': 'a\n' }, 'sha256');
  const sandbox = await host.open();
  await sandbox.loadWorkspace(wide.tar(), wide.commit);
  await runIn(sandbox, 'work', 'echo new >new.txt');
  const { bundle, commit } = await sandbox.snapshot(wide.commit);
  expect(commit).toHaveLength(64);
  expect(await wide.take(bundle, commit)).toContain('new.txt');
  await wide.remove();
});

test('what cannot be read, and repositories within the workspace, are refused by name, and no hindrance once they are readable, gone or ignored', async () => {
  const sandbox = await openLoaded();
  const hide =
    'echo 1 >"it\'s.txt"; echo 2 >two.txt; chmod 000 "it\'s.txt" two.txt; mkdir new ignored; echo 3 >new/in; chmod 000 new folder ignored';
  await runIn(sandbox, 'hide', hide);
  await expect(sandbox.snapshot(repository.commit)).rejects.toMatchObject({
    code: 'WorkspaceUnreadable',
    message: expect.stringContaining(": folder/, folder/b.txt, it's.txt, new/, two.txt."),
  });
  await runIn(sandbox, 'show', 'chmod u+rwX folder new *.txt');
  const { bundle, commit } = await sandbox.snapshot(repository.commit);
  await repository.take(bundle, commit);
  const added = await repository.git('diff', '--name-only', `${repository.commit}..${commit}`);
  expect(added.split('\n')).toEqual(["it's.txt", 'new/in', 'two.txt']);

  await runIn(sandbox, 'nest', 'git init -q empty; echo x >empty/x');
  await expect(sandbox.snapshot(repository.commit)).rejects.toMatchObject({
    code: 'NestedRepository',
    message: expect.stringContaining(': empty.'),
  });
  await runIn(
    sandbox,
    'nest-more',
    'rm -rf empty; git init -q deep/inner; git -C deep/inner commit -q --allow-empty -m x',
  );
  await expect(sandbox.snapshot(repository.commit)).rejects.toMatchObject({
    code: 'NestedRepository',
    message: expect.stringContaining(': deep/inner.'),
  });
  await runIn(sandbox, 'clean', 'rm -rf deep; chmod 755 ignored; git init -q ignored/inner');
  await expect(sandbox.snapshot(repository.commit)).resolves.toBeDefined();
});

test('hooks, filters, fsmonitor, line endings and hidden index entries that an agent set up do not change a snapshot', async () => {
  const sandbox = await openLoaded();
  await runIn(
    sandbox,
    'trap',
    `printf '#!/bin/sh\\ntouch /workspace/hook-ran\\n' >~/evil; chmod +x ~/evil
    mkdir -p .git/hooks; for hook in post-index-change reference-transaction pre-commit; do cp ~/evil .git/hooks/$hook; done
    git config core.fsmonitor ~/evil; git config filter.x.clean 'echo filtered'; git config core.autocrlf input
    printf '[core]\\n\\tfsmonitor = /home/agent/evil\\n\\thooksPath = /workspace/.git/hooks\\n' >~/.gitconfig
    echo '*.bin filter=x' >.gitattributes; echo raw >f.bin; printf 'crlf\\r\\n' >crlf.txt
    git update-index --assume-unchanged a.txt; rm -f hook-ran; echo hidden >a.txt`,
  );
  const { bundle, commit } = await sandbox.snapshot(repository.commit);
  const paths = await repository.take(bundle, commit);
  expect(paths).not.toContain('hook-ran');
  expect(await repository.git('cat-file', 'blob', `${commit}:f.bin`)).toBe('raw');
  expect(await repository.git('cat-file', 'blob', `${commit}:a.txt`)).toBe('hidden');
  expect(await repository.git('cat-file', '-s', `${commit}:crlf.txt`)).toBe('6');
});

test('a damaged repository is named as such, and repaired without touching the files', async () => {
  const sandbox = await openLoaded();
  await runIn(sandbox, 'work', 'echo work >work.txt');
  for (const [how, damage] of Object.entries({
    'without its objects': 'rm -rf .git/objects; mkdir .git/objects',
    'a link to somewhere else': 'rm -rf .git; ln -s /tmp .git',
    'broken in its objects': 'find .git/objects -type f -exec chmod u+w {} + -exec truncate -s 5 {} +',
  })) {
    const id = how.replaceAll(' ', '-');
    await runIn(sandbox, id, damage);
    const refusal = await sandbox.snapshot(repository.commit).catch((error) => error);
    expect({ how, code: refusal.code }).toEqual({ how, code: 'RepositoryDamaged' });
    await sandbox.repairRepository(repository.tar(), repository.commit);
    const look = await outputOf(sandbox, `${id}-look`, 'git status --porcelain; git symbolic-ref HEAD');
    expect({ how, look }).toEqual({ how, look: '?? work.txt\nrefs/heads/work' });
    const { bundle, commit } = await sandbox.snapshot(repository.commit);
    expect({ how, paths: await repository.take(bundle, commit) }).toMatchObject({
      paths: expect.arrayContaining(['work.txt']),
    });
  }
});
