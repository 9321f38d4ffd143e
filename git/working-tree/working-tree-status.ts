import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { exists } from '../process/exists.ts';
import type { Git } from '../process/run-git.ts';
import { captureFiles } from '../snapshot/capture-files.ts';

/** Differences between the checked-out commit and the working directory; paths in latin1. */
export interface WorkingTreeStatus {
  /** The branch that is checked out; undefined if HEAD is detached. */
  branch: string | undefined;
  /** The commit that is checked out; undefined before the branch's first. */
  head: string | undefined;
  changed: string[];
  /** Whether a merge left conflicts in the index. */
  unmerged: boolean;
  /** Those of the changed paths that a person removed from the index, and that are absent or ignored. */
  removed: Set<string>;
  /** Untracked folders that are repositories themselves; git would record only their commit, so they are left alone. */
  nested: string[];
}

/** Includes untracked files but not ignored ones; nothing inside submodules is looked at or run. */
export async function readStatus(git: Git): Promise<WorkingTreeStatus> {
  const form = ['--porcelain=v2', '--branch', '--no-ahead-behind', '-z', '--no-renames'];
  const args = ['status', ...form, '--untracked-files=all', '--ignore-submodules=all'];
  const lines = await git.fields(args, { encoding: 'latin1' });
  const headers = lines.filter((line) => line.startsWith('# '));
  const entries = lines.slice(headers.length);
  const oid = headerOf(headers, 'branch.oid');
  const name = headerOf(headers, 'branch.head');
  const status: WorkingTreeStatus = {
    branch: name === '(detached)' ? undefined : name,
    head: oid === '(initial)' ? undefined : oid,
    changed: [],
    unmerged: entries.some((line) => line.startsWith('u ')),
    removed: new Set(),
    nested: [],
  };
  for (const line of entries) {
    const path = pathOf(line);
    if (path.endsWith('/')) {
      status.nested.push(path.slice(0, -1));
      continue;
    }
    status.changed.push(path);
    // A file that exists and is not ignored is listed again, as untracked.
    if (line.startsWith('1 D.')) status.removed.add(path);
    else status.removed.delete(path);
  }
  return status;
}

function headerOf(lines: string[], name: string): string | undefined {
  const line = lines.find((one) => one.startsWith(`# ${name} `));
  return line && Buffer.from(line.slice(name.length + 3), 'latin1').toString('utf8');
}

/** Fields before the path in a line of `git status --porcelain=v2`, by the line's kind: a change, a conflict, an untracked file. */
const fieldsBeforePath: Record<string, number> = { '1': 8, u: 10, '?': 1 };

function pathOf(line: string): string {
  return line
    .split(' ')
    .slice(fieldsBeforePath[line[0] ?? ''])
    .join(' ');
}

/** The working directory as a tree, with all its changes, if any, added to the given git's index. */
export async function captureChanges(git: Git, { changed, removed }: WorkingTreeStatus): Promise<string> {
  await captureFiles(
    git,
    changed.filter((path) => !removed.has(path)),
  );
  return git.text(['write-tree']);
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
export async function refuseWhileBusy(git: Git, { unmerged }: WorkingTreeStatus): Promise<void> {
  for (const [file, operation] of Object.entries(operations)) {
    if (await exists(join(git.gitFolder, file))) throw gitErrors.repositoryBusy(git.folder, operation);
  }
  if (unmerged) throw gitErrors.repositoryBusy(git.folder, 'merge');
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
