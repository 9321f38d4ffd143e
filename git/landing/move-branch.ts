import { gitErrors } from '../error-messages.ts';
import { isGitError } from '../errors.ts';
import type { Git } from '../process/run-git.ts';
import { refuseOtherWorktrees, requireCommit, resolveCommit, swapRef } from '../tree/refs.ts';
import { emptyTree } from '../tree/write-tree.ts';
import { readablePath } from '../working-tree/look-at-files.ts';
import { type WorkingTree, withWorkingTree } from '../working-tree/working-tree.ts';
import {
  checkedOutBranch,
  readStatus,
  refuseWhileBusy,
  refuseWhileRebasing,
} from '../working-tree/working-tree-status.ts';
import { finishPendingMove, followBranch, forgetMove, recordMove } from './pending-move.ts';
import { planUpdate } from './update-working-tree.ts';

/** Moves the branch and, if it is checked out, the working directory; see `ProjectRepository.moveBranch`. */
export async function moveBranch(git: Git, branch: string, from: string | undefined, to: string): Promise<void> {
  await requireCommit(git, to);
  await withWorkingTree(git, async (tree) => {
    const ref = `refs/heads/${branch}`;
    for (;;) {
      await finishPendingMove(tree);
      const found = await resolveCommit(git, ref);
      try {
        return await moveFrom(git, tree, { branch, from, to, found });
      } catch (error) {
        // What looks like a person's changes may come from a git that outlived its killed Longhaul and moved the branch meanwhile.
        const isChanged = isGitError(error, 'UncommittedChanges', 'FilesInTheWay', 'FilesHeld', 'FilesNotFollowed');
        if (!isChanged || (await resolveCommit(git, ref)) === found) throw error;
        await tree.reset();
      }
    }
  });
}

/** Throws what `moveBranch` would throw, and moves nothing; see `ProjectRepository.checkMove`. */
export async function checkMove(git: Git, branch: string, from: string, to: string): Promise<void> {
  await requireCommit(git, to);
  await withWorkingTree(git, async (tree) => {
    await finishPendingMove(tree);
    const found = await resolveCommit(git, `refs/heads/${branch}`);
    const checkedOut = (await checkedOutBranch(git)) === branch;
    if (found !== to) await refuseMove(git, tree, { branch, from, to, found, checkedOut });
  });
}

async function moveFrom(
  git: Git,
  tree: WorkingTree,
  { branch, from, to, found }: { branch: string; from: string | undefined; to: string; found: string | undefined },
): Promise<void> {
  const checkedOut = (await checkedOutBranch(git)) === branch;
  const move = { branch, from: from ?? (await emptyTree(git)), to };
  if (found === to) {
    if (checkedOut && (await indexIsAt(tree, move.from)) && !(await indexIsAt(tree, to)))
      await followBranch(tree, move);
    return;
  }
  await refuseMove(git, tree, { branch, from, to, found, checkedOut });
  if (!checkedOut) return swapBranch(git, move, from);

  await recordMove(git, move);
  try {
    await swapBranch(git, move, from);
  } catch (error) {
    await forgetMove(git);
    throw error;
  }
  await followBranch(tree, move);
  await forgetMove(git);
}

async function refuseMove(
  git: Git,
  tree: WorkingTree,
  asked: { branch: string; from: string | undefined; to: string; found: string | undefined; checkedOut: boolean },
): Promise<void> {
  const { branch, from, to, found } = asked;
  if (found !== from) throw gitErrors.branchMoved(branch, from, found);
  await refuseOtherWorktrees(git, branch);
  await refuseWhileRebasing(git, branch);
  if (!asked.checkedOut) return;
  await refuseWhileBusy(tree.git);
  await refuseChanges(tree, { from: from ?? (await emptyTree(git)), to });
}

async function refuseChanges(tree: WorkingTree, move: { from: string; to: string }): Promise<void> {
  const { changed } = await readStatus(tree.git);
  if (changed.length > 0) throw gitErrors.uncommittedChanges(tree.git.folder, changed.map(readablePath));
  const plan = await planUpdate(tree, move.from, move.to);
  const inTheWay = [...plan.theirs.map(({ path }) => readablePath(path)), ...plan.inTheWay];
  if (inTheWay.length > 0) throw gitErrors.filesInTheWay(tree.git.folder, inTheWay);
  if (plan.held.length > 0) throw gitErrors.filesHeld(tree.git.folder, plan.held);
}

async function swapBranch(git: Git, move: { branch: string; to: string }, from: string | undefined): Promise<void> {
  const ref = `refs/heads/${move.branch}`;
  if (await swapRef(git, ref, from, move.to, 'longhaul: move')) return;
  const found = await resolveCommit(git, ref);
  if (found === move.to) return; // a git that outlived its killed Longhaul got there first
  throw gitErrors.branchMoved(move.branch, from, found);
}

async function indexIsAt(tree: WorkingTree, commit: string): Promise<boolean> {
  const args = ['diff-index', '--cached', '--quiet', '--ignore-submodules=all', commit];
  return (await tree.git.run(args, { exitCodes: [1] })).exitCode === 0;
}
