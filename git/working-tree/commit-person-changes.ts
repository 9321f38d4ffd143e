import { gitErrors } from '../error-messages.ts';
import { finishPendingMove } from '../landing/pending-move.ts';
import type { Git } from '../process/run-git.ts';
import type { Identity } from '../repository/project-repository.ts';
import { createCommit } from '../tree/create-commit.ts';
import { resolveCommit, swapRef } from '../tree/refs.ts';
import { withWorkingTree } from './working-tree.ts';
import {
  captureChanges,
  checkedOutBranch,
  readStatus,
  refuseWhileBusy,
  refuseWhileRebasing,
} from './working-tree-status.ts';

export interface PersonChangesRequest {
  branch: string;
  person: Identity;
  message: string;
  /** Throw NestedRepository instead of leaving nested repositories out. */
  refuseNested?: boolean;
}

/** Commits a person's changes in the working directory; see `ProjectRepository.commitPersonChanges`. */
export async function commitPersonChanges(
  git: Git,
  request: PersonChangesRequest,
): Promise<{ head: string; committed?: string }> {
  const { branch, person, message } = request;
  const ref = `refs/heads/${branch}`;
  return withWorkingTree(git, async (tree) => {
    await finishPendingMove(tree);
    const head = await resolveCommit(git, ref);
    await refuseWhileRebasing(git, branch);
    if ((await checkedOutBranch(git)) !== branch) return unchanged(head, branch);
    await refuseWhileBusy(tree.git);
    const { tree: captured, changed } = await captureChanges(tree.git, { refuseNested: request.refuseNested === true });
    const before = head === undefined ? undefined : await git.text(['rev-parse', `${head}^{tree}`]);
    if (captured === before || (head === undefined && (await tree.git.text(['ls-files'])) === '')) {
      // A change that is staged but undone in the files would otherwise count as a change forever.
      if (changed) await tree.install();
      return unchanged(head, branch);
    }
    const parents = head === undefined ? [] : [head];
    const trailers = { 'Longhaul-Author': 'person' };
    const commit = await createCommit(git, { tree: captured, parents, message, trailers }, person);
    // The index first: if killed in between, everything is merely staged, and the next call commits it.
    await tree.install();
    if (await swapRef(git, ref, head, commit, 'longhaul: changes by a person'))
      return { head: commit, committed: commit };
    const found = await resolveCommit(git, ref);
    // A git that outlived its killed Longhaul got there first, with the same changes.
    if (found !== undefined && (await git.text(['rev-parse', `${found}^{tree}`])) === captured) {
      return { head: found, committed: found };
    }
    throw gitErrors.branchMoved(branch, head, found);
  });
}

/** Whether the working directory differs from the branch's commit; see `ProjectRepository.hasUncommittedChanges`. */
export async function hasUncommittedChanges(git: Git, branch: string): Promise<boolean> {
  return withWorkingTree(git, async (tree) => {
    await finishPendingMove(tree);
    if ((await checkedOutBranch(git)) !== branch) return false;
    return (await readStatus(tree.git)).changed.length > 0;
  });
}

function unchanged(head: string | undefined, branch: string): { head: string } {
  if (head === undefined) throw gitErrors.noCommit(branch);
  return { head };
}
