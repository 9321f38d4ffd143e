import { join } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { exists } from '../process/exists.ts';
import type { Git } from '../process/run-git.ts';

/** The commit that a revision names; undefined if there is none. */
export async function resolveCommit(git: Git, revision: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  if (revision === '' || revision.includes('\0')) return undefined;
  const result = await git.run(args, { exitCodes: [1, 128] });
  // 128 without a message means that a reflog is too short; with one, that the repository is broken.
  if (result.stderr !== '' && result.exitCode === 128) {
    throw gitErrors.gitCommand({ command: args, exitCode: 128, stderr: result.stderr });
  }
  const commit = result.stdout.toString('utf8').trim();
  // "^main" is a valid answer of rev-parse, but not a commit.
  return /^[0-9a-f]+$/.test(commit) ? commit : undefined;
}

/**
 * The id of the commit that a revision names. A full id, or one with `^` for its parent, is returned unchecked, since git refuses an unknown one where it
 * is used.
 * @throws {GitError} UnknownRevision if there is none.
 */
export async function requireCommit(git: Git, revision: string): Promise<string> {
  const [id = ''] = /^[0-9a-f]+(?=\^?$)/.exec(revision) ?? [];
  if (id.length === git.nullObject.length) return revision;
  return requirePresent(git, revision);
}

/**
 * As `requireCommit`, for ids that may come from elsewhere.
 * @throws {GitError} UnknownRevision if there is none.
 */
export async function requirePresent(git: Git, revision: string): Promise<string> {
  const commit = await resolveCommit(git, revision);
  if (commit === undefined) throw gitErrors.unknownRevision(revision);
  return commit;
}

/** Whether `ancestor` equals `commit` or precedes it in its history. */
export async function isAncestor(git: Git, ancestor: string, commit: string): Promise<boolean> {
  return (await git.run(['merge-base', '--is-ancestor', ancestor, commit], { exitCodes: [1] })).exitCode === 0;
}

/** The best common ancestor of two commits; undefined if they share no history. */
export async function mergeBase(git: Git, left: string, right: string): Promise<string | undefined> {
  const result = await git.run(['merge-base', left, right], { exitCodes: [1] });
  return result.stdout.toString('utf8').trim() || undefined;
}

/** Makes a ref under `refs/longhaul/` name a commit; see `ProjectRepository.keep`. */
export async function keepRef(git: Git, ref: string, commit: string, replacing?: string): Promise<void> {
  if (!ref.startsWith('refs/longhaul/')) throw gitErrors.invalidRef(ref, 'refs of Longhaul are under refs/longhaul/');
  for (const from of new Set([replacing, undefined])) {
    if (await swapRef(git, ref, from, commit, 'longhaul: keep')) return;
  }
  const found = await resolveCommit(git, ref);
  if (found !== commit) throw gitErrors.refTaken(ref, commit, found ?? 'no commit');
}

/** Moves a ref if it is still at `from`; false if it has moved meanwhile. */
export async function swapRef(
  git: Git,
  ref: string,
  from: string | undefined,
  to: string,
  reason: string,
): Promise<boolean> {
  try {
    await git.run(['update-ref', '-m', reason, ref, to, from ?? '']);
    return true;
  } catch (error) {
    if ((await resolveCommit(git, ref)) === from) throw error;
    return false;
  }
}

/**
 * Moving a branch would confuse another worktree that has it checked out.
 * @throws {GitError} BranchCheckedOutElsewhere if one has.
 */
export async function refuseOtherWorktrees(git: Git, branch: string): Promise<void> {
  if (!(await exists(join(git.commonFolder, 'worktrees')))) return;
  const blocks = splitBlocks(await git.fields(['worktree', 'list', '--porcelain', '-z']));
  // Git lists the main worktree first, but names its git folder instead if that is elsewhere, as for a submodule.
  for (const block of git.gitFolder === git.commonFolder ? blocks.slice(1) : blocks) {
    const folder = block.find((line) => line.startsWith('worktree '))?.slice('worktree '.length) ?? '';
    const gone = block.some((line) => line.startsWith('prunable'));
    if (folder !== git.folder && !gone && block.includes(`branch refs/heads/${branch}`)) {
      throw gitErrors.branchCheckedOutElsewhere(branch, folder);
    }
  }
}

function splitBlocks(lines: string[]): string[][] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (line === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}
