import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { isGitError } from '../errors.ts';
import type { Git } from '../process/run-git.ts';
import { resolveCommit } from '../tree/refs.ts';
import type { WorkingTree } from '../working-tree/working-tree.ts';
import { checkedOutBranch } from '../working-tree/working-tree-status.ts';
import { applyUpdate, planUpdate, type UpdatePlan } from './update-working-tree.ts';

/** A branch move in progress: written before the ref moves, deleted once the working directory has followed. */
export interface PendingMove {
  branch: string;
  /** Trees or commits. */
  from: string;
  to: string;
}

export async function recordMove(git: Git, move: PendingMove): Promise<void> {
  await mkdir(join(git.gitFolder, 'longhaul'), { recursive: true });
  const draft = `${journal(git)}.new`;
  await writeFile(draft, JSON.stringify(move));
  await rename(draft, journal(git));
}

export async function forgetMove(git: Git): Promise<void> {
  await rm(journal(git), { force: true });
}

/**
 * Brings the working directory to where a killed move left the branch. A file that a person has changed since keeps their version, as an uncommitted
 * change.
 */
export async function finishPendingMove(tree: WorkingTree): Promise<void> {
  const move = await readMove(tree.git);
  if (move === undefined) return;
  const moved = (await resolveCommit(tree.git, `refs/heads/${move.branch}`)) === move.to;
  if (moved && (await checkedOutBranch(tree.git)) === move.branch) await followBranch(tree, move);
  await forgetMove(tree.git);
  await tree.reset();
}

/**
 * Updates the working directory after the branch has moved.
 * @throws {GitError} FilesNotFollowed if git cannot update it.
 */
export async function followBranch(tree: WorkingTree, move: PendingMove): Promise<void> {
  // A person may save a file between the plan and the update; git notices, and the second plan treats the file as theirs.
  for (let attempt = 1; ; attempt += 1) {
    await tree.reset();
    const plan = await planUpdate(tree, move.from, move.to);
    const reason = describeObstacle(tree.git.folder, plan);
    if (reason !== undefined) throw gitErrors.filesNotFollowed(tree.git.folder, move.branch, reason);
    try {
      return await applyUpdate(tree, plan);
    } catch (error) {
      if (!isGitError(error, 'GitCommand')) throw error;
      if (attempt < 3) continue;
      const said = `git says "${error.stderr.trim().slice(-1000)}".`;
      throw gitErrors.filesNotFollowed(tree.git.folder, move.branch, said, { cause: error });
    }
  }
}

/** What of the plan git would fail at; undefined if nothing. */
function describeObstacle(folder: string, { inTheWay, held }: UpdatePlan): string | undefined {
  if (inTheWay.length > 0) return gitErrors.filesInTheWay(folder, inTheWay).message;
  return held.length > 0 ? `${held.slice(0, 5).join(', ')}.` : undefined;
}

async function readMove(git: Git): Promise<PendingMove | undefined> {
  try {
    return JSON.parse(await readFile(journal(git), 'utf8')) as PendingMove;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function journal(git: Git): string {
  return join(git.gitFolder, 'longhaul', 'pending-move.json');
}
