import { gitErrors } from '../error-messages.ts';
import { finishPendingMove } from '../landing/pending-move.ts';
import type { Git } from '../process/run-git.ts';
import type { Identity } from '../repository/project-repository.ts';
import { createCommit } from '../tree/create-commit.ts';
import { resolveCommit, swapRef } from '../tree/refs.ts';
import { readablePath } from './look-at-files.ts';
import { withWorkingTree } from './working-tree.ts';
import { captureChanges, readStatus, refuseWhileBusy, refuseWhileRebasing } from './working-tree-status.ts';

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
    await refuseWhileRebasing(git, branch);
    const status = await readStatus(tree.git);
    if (status.branch !== branch) return unchanged(await resolveCommit(git, ref), branch);
    const { head, changed, nested } = status;
    await refuseWhileBusy(git, status);
    if (request.refuseNested && nested.length > 0) throw gitErrors.nestedRepository(nested.map(readablePath));
    const captured = await captureChanges(tree.git, status);
    const before = head === undefined ? undefined : await git.text(['rev-parse', `${head}^{tree}`]);
    if (captured === before || (head === undefined && (await tree.git.text(['ls-files'])) === '')) {
      // A change that is staged but undone in the files would otherwise count as a change forever.
      if (changed.length > 0) await tree.install();
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
    const status = await readStatus(tree.git);
    return status.branch === branch && status.changed.length > 0;
  });
}

function unchanged(head: string | undefined, branch: string): { head: string } {
  if (head === undefined) throw gitErrors.noCommit(branch);
  return { head };
}
