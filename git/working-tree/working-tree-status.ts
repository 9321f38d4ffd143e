import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { exists } from '../process/exists.ts';
import type { Git } from '../process/run-git.ts';
import { captureFiles } from '../snapshot/capture-files.ts';
import { readablePath } from './look-at-files.ts';

/** Differences between the checked-out commit and the working directory; paths in latin1. */
export interface WorkingTreeStatus {
  changed: string[];
  /** Those of the changed paths that a person removed from the index, and that are absent or ignored. */
  removed: Set<string>;
  /** Untracked folders that are repositories themselves; git would record only their commit, so they are left alone. */
  nested: string[];
}

/** Includes untracked files but not ignored ones; nothing inside submodules is looked at or run. */
export async function readStatus(git: Git): Promise<WorkingTreeStatus> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignore-submodules=all', '--no-renames'];
  const status: WorkingTreeStatus = { changed: [], removed: new Set(), nested: [] };
  for (const line of await git.fields(args, { encoding: 'latin1' })) {
    const path = line.slice(3);
    if (path.endsWith('/')) {
      status.nested.push(path.slice(0, -1));
      continue;
    }
    status.changed.push(path);
    // A file that exists and is not ignored is listed again, as untracked.
    if (line.startsWith('D ')) status.removed.add(path);
    else status.removed.delete(path);
  }
  return status;
}

/** The working directory as a tree, with all its changes, if any, added to the given git's index. */
export async function captureChanges(
  git: Git,
  options: { refuseNested?: boolean } = {},
): Promise<{ tree: string; changed: boolean }> {
  const status = await readStatus(git);
  if (options.refuseNested && status.nested.length > 0)
    throw gitErrors.nestedRepository(status.nested.map(readablePath));
  await captureFiles(
    git,
    status.changed.filter((path) => !status.removed.has(path)),
  );
  return { tree: await git.text(['write-tree']), changed: status.changed.length > 0 };
}

/** The branch that is checked out; undefined if HEAD is detached. */
export async function checkedOutBranch(git: Git): Promise<string | undefined> {
  const result = await git.run(['symbolic-ref', '--quiet', 'HEAD'], { exitCodes: [1] });
  const ref = result.stdout.toString('utf8').trim();
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
}

const operations = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
};

/** @throws {GitError} RepositoryBusy while the person is in the middle of a merge, rebase, cherry-pick or revert. */
export async function refuseWhileBusy(git: Git): Promise<void> {
  for (const [file, operation] of Object.entries(operations)) {
    if (await exists(join(git.gitFolder, file))) throw gitErrors.repositoryBusy(git.folder, operation);
  }
  if ((await git.fields(['ls-files', '--unmerged', '-z'])).length > 0)
    throw gitErrors.repositoryBusy(git.folder, 'merge');
}

/**
 * A branch being rebased is not checked out, but soon will be.
 * @throws {GitError} RepositoryBusy while it is.
 */
export async function refuseWhileRebasing(git: Git, branch: string): Promise<void> {
  for (const state of ['rebase-merge', 'rebase-apply']) {
    const file = join(git.gitFolder, state, 'head-name');
    if (!(await exists(file))) continue;
    if ((await readFile(file, 'utf8')).trim() === `refs/heads/${branch}`)
      throw gitErrors.repositoryBusy(git.folder, 'rebase');
  }
}
