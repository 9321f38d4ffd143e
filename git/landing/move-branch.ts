import { gitErrors } from '../error-messages.ts';
import { isGitError } from '../errors.ts';
import type { Git } from '../process/run-git.ts';
import { refuseOtherWorktrees, requireCommit, resolveCommit, swapRef } from '../tree/refs.ts';
import { emptyTree } from '../tree/write-tree.ts';
import { readablePath } from '../working-tree/look-at-files.ts';
import { type WorkingTree, withWorkingTree } from '../working-tree/working-tree.ts';
import {
  readStatus,
  refuseWhileBusy,
  refuseWhileRebasing,
  type WorkingTreeStatus,
} from '../working-tree/working-tree-status.ts';
import { finishPendingMove, followBranch, forgetMove, recordMove } from './pending-move.ts';
import { planUpdate } from './update-working-tree.ts';

/** Moves the branch and, if it is checked out, the working directory; see `ProjectRepository.moveBranch`. */
export async function moveBranch(git: Git, branch: string, from: string | undefined, to: string): Promise<void> {
  await requireCommit(git, to);
  await withWorkingTree(git, async (tree) => {
    for (;;) {
      await finishPendingMove(tree);
      const state = await readState(tree, branch);
      try {
        return await moveFrom(git, tree, { branch, from, to }, state);
      } catch (error) {
        // What looks like a person's changes may come from a git that outlived its killed Longhaul and moved the branch meanwhile.
        const isChanged = isGitError(error, 'UncommittedChanges', 'FilesInTheWay', 'FilesHeld', 'FilesNotFollowed');
        if (!isChanged || (await resolveCommit(git, `refs/heads/${branch}`)) === state.found) throw error;
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
    const state = await readState(tree, branch);
    if (state.found !== to) await refuseMove(git, tree, { branch, from, to }, state);
  });
}

interface RequestedMove {
  branch: string;
  from: string | undefined;
  to: string;
}

/** Where the branch is. */
interface BranchState {
  found: string | undefined;
  /** What is in the working directory, if the branch is checked out. */
  status: WorkingTreeStatus | undefined;
}

async function readState({ git }: WorkingTree, branch: string): Promise<BranchState> {
  const status = await readStatus(git);
  if (status.branch === branch) return { found: status.head, status };
  return { found: await resolveCommit(git, `refs/heads/${branch}`), status: undefined };
}

async function moveFrom(git: Git, tree: WorkingTree, requested: RequestedMove, state: BranchState): Promise<void> {
  const { branch, from, to } = requested;
  const { found, status } = state;
  const move = { branch, from: from ?? (await emptyTree(git)), to };
  if (found === to) {
    if (status && (await indexIsAt(tree, move.from)) && !(await indexIsAt(tree, to))) await followBranch(tree, move);
    return;
  }
  await refuseMove(git, tree, requested, state);
  if (!status) return swapBranch(git, move, from);

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

async function refuseMove(git: Git, tree: WorkingTree, requested: RequestedMove, state: BranchState): Promise<void> {
  const { branch, from, to } = requested;
  const { found, status } = state;
  if (found !== from) throw gitErrors.branchMoved(branch, from, found);
  await refuseOtherWorktrees(git, branch);
  await refuseWhileRebasing(git, branch);
  if (!status) return;
  await refuseWhileBusy(git, status);
  if (status.changed.length > 0) throw gitErrors.uncommittedChanges(git.folder, status.changed.map(readablePath));
  await refuseObstacles(tree, { from: from ?? (await emptyTree(git)), to });
}

async function refuseObstacles(tree: WorkingTree, move: { from: string; to: string }): Promise<void> {
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
