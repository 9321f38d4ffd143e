import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createProjectRepository } from '../../git/repository/create-project-repository.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { editFile } from '../../sandbox/files/edit-file.ts';
import { listFiles } from '../../sandbox/files/list-files.ts';
import { readFile } from '../../sandbox/files/read-file.ts';
import { searchFiles } from '../../sandbox/files/search-files.ts';
import type { CommandRequest, CommandResult, Sandbox, Sandboxes, SandboxSpec } from '../../sandbox/sandbox.ts';
import type { CommandRule, ScriptedCommand } from './command-script.ts';

/** What a case is run against. */
export interface SandboxContractHost {
  sandboxes: Sandboxes;
  /** A spec with a name that is not in use. */
  spec(changes?: Partial<SandboxSpec>): SandboxSpec;
}

export interface SandboxContractCase {
  title: string;
  run(host: SandboxContractHost): Promise<void>;
}

/** The commands of the cases, for sandboxes that need a script. */
export const sandboxContractCommands: CommandRule[] = [
  { match: 'echo once', result: appendLine },
  { match: 'exit 3', result: { output: 'no\n', exitCode: 3 } },
  { match: 'cat', result: ({ input = '' }) => ({ output: input }) },
  { match: 'seq', result: { output: `${Array.from({ length: 20_000 }, (_, index) => index + 1).join('\n')}\n` } },
  { match: 'sleep 0.', result: () => new Promise((resolve) => setTimeout(resolve, 300, { output: 'awake\n' })) },
  { match: 'sleep 600', result: () => new Promise(() => undefined) },
  {
    match: 'rm -rf .git',
    result: ({ workspace }) => rm(join(workspace, '.git'), { recursive: true }).then(() => ({})),
  },
];

async function appendLine({ workspace }: ScriptedCommand) {
  await writeFile(join(workspace, 'lines.txt'), 'once\n', { flag: 'a' });
  return { output: 'done\n' };
}

/**
 * What every implementation of `Sandboxes` does; run each case as a test. A case throws an `AssertionError` where the implementation differs, and
 * closes the sandboxes that it opened.
 */
export const sandboxContract: SandboxContractCase[] = [
  rule('a sandbox is created once, then found by its name', async ({ sandboxes, spec }) => {
    const given = spec({ reopenedBy: 'call-1' });
    assert.equal(await sandboxes.find(given.name), undefined);
    assert.equal((await sandboxes.open(given)).origin, 'created');
    const found = await sandboxes.open(given);
    assert.deepEqual([found.name, found.origin, found.reopenedBy], [given.name, 'running', 'call-1']);
    const [listing] = (await sandboxes.list()).filter(({ name }) => name === given.name);
    assert.deepEqual(listing?.owner, given.owner);
    assert.equal(listing?.running, true);
  }),

  rule('a command runs once: a second run with its id reads the result of the first', async (host) => {
    const sandbox = await open(host);
    const first = await run(sandbox, 'a', 'echo once >>lines.txt; echo done');
    assert.deepEqual([first.outcome, first.exitCode, first.output.text], ['exited', 0, 'done\n']);
    assert.deepEqual(await run(sandbox, 'a', 'echo once >>lines.txt; echo done'), first);
    assert.equal((await sandbox.files.read({ id: 'r', path: 'lines.txt', maxBytes: 100 })).toString(), 'once\n');
  }),

  rule('a command fails with its exit code and gets its input', async (host) => {
    const sandbox = await open(host);
    const failed = await run(sandbox, 'a', 'echo no; exit 3');
    assert.deepEqual([failed.outcome, failed.exitCode, failed.output.text], ['exited', 3, 'no\n']);
    assert.equal((await run(sandbox, 'b', 'cat', { input: 'given' })).output.text, 'given');
  }),

  rule('long output is shown without its middle and can be read in full', async (host) => {
    const sandbox = await open(host);
    const { output } = await run(sandbox, 'a', 'seq 20000');
    assert.equal(output.truncated, true);
    assert.match(output.text, /^1\n2\n[\s\S]*bytes left out[\s\S]*\n20000\n$/);
    const log = await sandbox.readLog('a');
    assert.equal(log?.totalBytes, output.totalBytes);
    assert.equal((await text(log.bytes)).length, output.totalBytes);
    const part = await sandbox.readLog('a', { offset: 2, limit: 3 });
    assert.equal(part && (await text(part.bytes)), '2\n3');
    assert.equal(await sandbox.readLog('none'), undefined);
  }),

  rule('a command ends at its time limit', async (host) => {
    const { outcome, exitCode } = await run(await open(host), 'a', 'sleep 600', { timeoutMs: 200 });
    assert.deepEqual([outcome, exitCode], ['timed-out', null]);
  }),

  rule('a cancelled command stays cancelled', async (host) => {
    const sandbox = await open(host);
    const cancelling = new AbortController();
    const ended = run(sandbox, 'a', 'sleep 600', { cancel: cancelling.signal });
    setTimeout(() => cancelling.abort(), 100);
    assert.equal((await ended).outcome, 'cancelled');
    assert.equal((await run(sandbox, 'a', 'sleep 600')).outcome, 'cancelled');
  }),

  rule('a command that is cancelled before it begins never begins', async (host) => {
    const sandbox = await open(host);
    const script = 'echo once >>lines.txt';
    assert.equal((await run(sandbox, 'a', script, { cancel: AbortSignal.abort() })).outcome, 'cancelled');
    await assert.rejects(sandbox.files.read({ id: 'r', path: 'lines.txt', maxBytes: 100 }), { code: 'FileRefused' });
  }),

  rule('a command goes on when its caller detaches, and is attached to again', async (host) => {
    const sandbox = await open(host);
    const detaching = new AbortController();
    const left = run(sandbox, 'a', 'sleep 0.3; echo awake', { detach: detaching.signal });
    setTimeout(() => detaching.abort(new Error('detached')), 50);
    await assert.rejects(left, /detached/);
    assert.equal((await run(sandbox, 'a', 'sleep 0.3; echo awake')).output.text, 'awake\n');
  }),

  rule('a stopped sandbox keeps its files; what ran in it is interrupted', async (host) => {
    const sandbox = await open(host);
    await sandbox.files.write({ id: 'w', path: 'kept.txt', content: 'kept' });
    const running = run(sandbox, 'a', 'sleep 600').catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 300)); // it has to have begun
    await host.sandboxes.stop(sandbox.name);
    await running;
    const again = await host.sandboxes.find(sandbox.name);
    assert.equal(again?.origin, 'restarted');
    assert.equal((await run(again, 'a', 'sleep 600')).outcome, 'interrupted');
    assert.equal((await again.files.read({ id: 'r', path: 'kept.txt', maxBytes: 100 })).toString(), 'kept');
  }),

  rule('a closed sandbox is gone with its files', async ({ sandboxes, spec }) => {
    const given = spec();
    const sandbox = await sandboxes.open(given);
    await sandbox.files.write({ id: 'w', path: 'gone.txt', content: '' });
    await sandboxes.close(given.name);
    await sandboxes.close(given.name);
    assert.equal(await sandboxes.find(given.name), undefined);
    const next = await sandboxes.open(given);
    assert.equal(next.origin, 'created');
    await assert.rejects(next.files.read({ id: 'r', path: 'gone.txt', maxBytes: 100 }), { code: 'FileRefused' });
  }),

  rule('files that are kept outlive a release, and go with a close', async ({ sandboxes, spec }) => {
    const given = spec({ keepsFiles: true, owner: { owner: 'a-chat', purpose: 'chat' } });
    const sandbox = await sandboxes.open(given);
    await sandbox.files.write({ id: 'w', path: 'kept.txt', content: 'kept' });
    await sandboxes.release(given.name);
    const isKept = async () => (await sandboxes.listKept()).some(({ name }) => name === given.name);
    assert.equal(await isKept(), true);
    const next = await sandboxes.open(given);
    assert.equal((await next.files.read({ id: 'r', path: 'kept.txt', maxBytes: 100 })).toString(), 'kept');
    await sandboxes.close(given.name);
    assert.equal(await isKept(), false);
  }),

  rule('a restart interrupts commands, and happens once in a sandbox', async (host) => {
    const sandbox = await open(host);
    const running = run(sandbox, 'a', 'sleep 600').catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 300)); // it has to have begun
    await sandbox.restartOnce();
    await running;
    assert.equal((await run(sandbox, 'a', 'sleep 600')).outcome, 'interrupted');
    const later = run(sandbox, 'b', 'sleep 0.3; echo awake');
    await sandbox.restartOnce();
    assert.equal((await later).output.text, 'awake\n');
  }),

  rule('a workspace is loaded at a commit once', async (host) => {
    await withRepository(async (repository, commit) => {
      const sandbox = await open(host);
      assert.equal(await sandbox.loadedCommit(), undefined);
      await sandbox.loadWorkspace(await repository.exportGitFolder(commit), commit);
      assert.equal(await sandbox.loadedCommit(), commit);
      await sandbox.files.write({ id: 'w', path: 'a.txt', content: 'changed\n' });
      await sandbox.loadWorkspace(await repository.exportGitFolder(commit), commit);
      assert.match(await readFile(sandbox.files, { id: 'r', path: 'a.txt' }), /changed/);
      await assert.rejects(sandbox.loadWorkspace(await repository.exportGitFolder(commit), '0'.repeat(40)));
    });
  }),

  rule('a snapshot is one commit of the files, the same for the same files', async (host) => {
    await withRepository(async (repository, base) => {
      const sandbox = await open(host);
      await sandbox.loadWorkspace(await repository.exportGitFolder(base), base);
      await sandbox.files.write({ id: 'w1', path: 'folder/new.txt', content: 'new\n' });
      await sandbox.files.write({ id: 'w2', path: 'ignored/x.txt', content: 'x\n' });
      const { bundle, commit } = await sandbox.snapshot(base);
      assert.equal((await sandbox.snapshot(base)).commit, commit);
      await repository.importSnapshot(bundle, commit, base);
      const changed = await repository.changedFiles(base, commit);
      assert.deepEqual(changed, [{ path: 'folder/new.txt', change: 'added' }]);
    });
  }),

  rule('a snapshot refuses nested repositories', async (host) => {
    await withRepository(async (repository, base) => {
      const sandbox = await open(host);
      await sandbox.loadWorkspace(await repository.exportGitFolder(base), base);
      for (const path of ['HEAD', 'objects/x', 'refs/x'])
        await sandbox.files.write({
          id: path.replace('/', '-'),
          path: `nested/.git/${path}`,
          content: 'ref: refs/heads/main\n',
        });
      await assert.rejects(sandbox.snapshot(base), /git repositories inside the workspace, found: nested\./);
    });
  }),

  rule('a damaged repository is reported, and repaired without touching a file', async (host) => {
    await withRepository(async (repository, base) => {
      const sandbox = await open(host);
      await sandbox.loadWorkspace(await repository.exportGitFolder(base), base);
      await sandbox.files.write({ id: 'w', path: 'a.txt', content: 'changed\n' });
      await run(sandbox, 'a', 'rm -rf .git');
      await assert.rejects(sandbox.snapshot(base), /repairRepository/);
      await sandbox.repairRepository(await repository.exportGitFolder(base), base);
      const { bundle, commit } = await sandbox.snapshot(base);
      await repository.importSnapshot(bundle, commit, base);
      const changed = await repository.changedFiles(base, commit);
      assert.deepEqual(changed, [{ path: 'a.txt', change: 'modified' }]);
    });
  }),

  rule('files are written, read, listed and searched', async (host) => {
    const { files } = await open(host);
    assert.deepEqual(await files.write({ id: 'w1', path: 'src/one.ts', content: 'a\nneedle 1\nc\n' }), {
      created: true,
    });
    assert.deepEqual(await files.write({ id: 'w2', path: '/workspace/src/two.js', content: 'needle 2' }), {
      created: true,
    });
    assert.deepEqual(await files.write({ id: 'w3', path: 'src/two.js', content: 'needle 3' }), { created: false });
    assert.deepEqual(await files.write({ id: 'w1', path: 'src/one.ts', content: 'other' }), { created: true });
    await files.write({ id: 'w4', path: 'node_modules/x/index.js', content: '' });
    const lines = await files.readLines({ id: 'r', path: 'src/one.ts', offset: 2, limit: 1, maxBytes: 1000 });
    assert.deepEqual(lines, { size: 13, lineCount: 3, text: 'needle 1\n', cutOff: false });
    assert.equal(
      await listFiles(files, { id: 'l' }),
      'node_modules/ (not listed)\nsrc/\nsrc/one.ts (13 bytes)\nsrc/two.js (8 bytes)',
    );
    assert.equal(await listFiles(files, { id: 'l2', depth: 1 }), 'node_modules/ (not listed)\nsrc/');
    assert.equal(
      await searchFiles(files, { id: 's', pattern: 'needle [0-9]', path: 'src' }),
      'src/one.ts:2:needle 1\nsrc/two.js:1:needle 3',
    );
    assert.equal(await searchFiles(files, { id: 's2', pattern: 'needle', glob: '*.ts' }), 'src/one.ts:2:needle 1');
    await assert.rejects(searchFiles(files, { id: 's3', pattern: '(' }), /The pattern is invalid/);
  }),

  rule('a file is edited once, however often the edit is retried', async (host) => {
    const { files } = await open(host);
    await files.write({ id: 'w', path: 'a.txt', content: 'one\ntwo\n' });
    const edit = { id: 'e', path: 'a.txt', oldText: 'one', newText: 'one and one' };
    const summary = await editFile(files, edit);
    assert.equal(await editFile(files, edit), summary);
    assert.equal((await files.read({ id: 'r', path: 'a.txt', maxBytes: 100 })).toString(), 'one and one\ntwo\n');
  }),

  rule('a path that cannot be used is refused', async (host) => {
    const { files } = await open(host);
    await files.write({ id: 'w', path: 'folder/a.bin', content: 'a\0b' });
    const read = (path: string) =>
      files.readLines({ id: `r-${path.replaceAll('/', '-')}`, path, offset: 1, limit: 1, maxBytes: 10 });
    await assert.rejects(read('../etc/passwd'), /leads out of the workspace/);
    await assert.rejects(read('/etc/passwd'), /leads out of the workspace, to \/etc\/passwd/);
    await assert.rejects(read('folder'), /is a folder\. Use list_files/);
    await assert.rejects(read('folder/a.bin'), /is a binary file of 3 bytes/);
    await assert.rejects(
      read('a.bin'),
      /There is no "a\.bin"\. A file with that name is at "folder\/a\.bin"\. The folder "\." contains: folder\./,
    );
    await assert.rejects(listFiles(files, { id: 'l', path: 'folder/a.bin' }), /is a file, not a folder/);
    await assert.rejects(files.write({ id: 'w2', path: 'folder', content: '' }), /is a folder/);
  }),
];

function rule(title: string, check: (host: SandboxContractHost) => Promise<void>): SandboxContractCase {
  return {
    title,
    async run({ sandboxes, spec }) {
      const names: string[] = [];
      const recorded = (changes?: Partial<SandboxSpec>) => {
        const given = spec(changes);
        names.push(given.name);
        return given;
      };
      try {
        await check({ sandboxes, spec: recorded });
      } finally {
        for (const name of names) await sandboxes.close(name);
      }
    },
  };
}

function open({ sandboxes, spec }: SandboxContractHost): Promise<Sandbox> {
  return sandboxes.open(spec());
}

function run(sandbox: Sandbox, id: string, script: string, more: Partial<CommandRequest> = {}): Promise<CommandResult> {
  return sandbox.run({ id, script, timeoutMs: 60_000, ...more });
}

async function withRepository(work: (repository: ProjectRepository, commit: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-sandbox-contract-'));
  try {
    const repository = await createProjectRepository({ folder });
    await writeFile(join(folder, 'a.txt'), 'a\n');
    await writeFile(join(folder, '.gitignore'), 'ignored/\n');
    const { head } = await repository.commitPersonChanges();
    await work(repository, head);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
