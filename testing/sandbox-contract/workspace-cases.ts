import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProjectRepository } from '../../git/repository/create-project-repository.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { readFile } from '../../sandbox/files/read-file.ts';
import { open, rule, run, type SandboxContractCase } from './contract-case.ts';

/** How a workspace is loaded, snapshotted and repaired. */
export const workspaceCases: SandboxContractCase[] = [
  rule(
    'a workspace is loaded at a commit once, and its repository is repaired without touching a file',
    async (host) => {
      await withRepository(async (repository, commit) => {
        const sandbox = await open(host);
        assert.equal(await sandbox.loadedCommit(), undefined);
        await sandbox.loadWorkspace(await repository.exportGitFolder(commit), commit);
        assert.equal(await sandbox.loadedCommit(), commit);
        await sandbox.files.write({ id: 'w', path: 'a.txt', content: 'changed\n' });
        await sandbox.loadWorkspace(await repository.exportGitFolder(commit), commit);
        assert.match(await readFile(sandbox.files, { id: 'r', path: 'a.txt' }), /changed/);
        await assert.rejects(sandbox.loadWorkspace(await repository.exportGitFolder(commit), '0'.repeat(40)));
        await run(sandbox, 'a', 'rm -rf .git');
        await assert.rejects(sandbox.snapshot(commit), /repairRepository/);
        await sandbox.repairRepository(await repository.exportGitFolder(commit), commit);
        const repaired = await sandbox.snapshot(commit);
        await repository.importSnapshot(repaired.bundle, repaired.commit, commit);
        const changed = await repository.changedFiles(commit, repaired.commit);
        assert.deepEqual(changed, [{ path: 'a.txt', change: 'modified' }]);
      });
    },
  ),

  rule(
    'a snapshot is one commit of the files, the same for the same files, and refuses nested repositories',
    async (host) => {
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
        for (const path of ['HEAD', 'objects/x', 'refs/x'])
          await sandbox.files.write({
            id: path.replace('/', '-'),
            path: `nested/.git/${path}`,
            content: 'ref: refs/heads/main\n',
          });
        await assert.rejects(sandbox.snapshot(base), /git repositories inside the workspace, found: nested\./);
      });
    },
  ),
];

async function withRepository(work: (repository: ProjectRepository, commit: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-sandbox-contract-'));
  try {
    await writeFile(join(folder, 'a.txt'), 'a\n');
    await writeFile(join(folder, '.gitignore'), 'ignored/\n');
    const repository = await createProjectRepository({ folder, adopt: true });
    await work(repository, (await repository.head()) ?? '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
