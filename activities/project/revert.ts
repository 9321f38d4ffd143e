import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/connection/database.ts';
import { readCheckpoints, resolveCheckpoint } from '../../db/project/checkpoints.ts';
import { findLineage } from '../../db/project/lineage.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import { isReverted, revertProject } from '../../db/project/revert.ts';
import type { Revert, RevertRequest, RevertResult } from '../../domain/project/messages.ts';
import { isGitError } from '../../git/errors.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { retryableFailure, terminalFailure } from '../failures.ts';
import { beating } from '../heartbeat.ts';
import { nameFailure } from '../name-failure.ts';

/** The activities that go back to a checkpoint. What can be refused is refused before anything changes. */
export function createRevertActivities({
  database,
  openRepository,
}: Pick<Dependencies, 'database' | 'openRepository'>) {
  return { checkRevert: beating(checkRevert), revertToCheckpoint: beating(revertToCheckpoint) };

  /** Refuses a revert that cannot be done, before anything is stopped for it. */
  async function checkRevert({ projectId, request }: { projectId: string; request: RevertRequest }): Promise<void> {
    const project = await readProject(database, projectId);
    const target = await resolveCheckpoint(database, projectId, request.checkpoint);
    const repository = await openRepository(project.folder, project.branch);
    const head = await repository.head();
    try {
      if (head) await repository.checkMove(head, target.commit);
    } catch (error) {
      // Uncommitted changes are refused below, unless the person agreed; the revert then commits them first.
      if (!isGitError(error, 'UncommittedChanges')) throw refusal(error);
    }
    if (request.overUncommittedChanges || !(await repository.hasUncommittedChanges())) return;
    throw terminalFailure(
      'UncommittedChanges',
      `${project.folder} has changes that are not committed. Commit them, or revert with --yes to move them to the git ref of the previous state.`,
    );
  }

  /**
   * Moves branch, features, decisions and memories to a checkpoint; the state that is left stays under the kept ref. Throws `RevertUnfinished` if the
   * branch could not follow: a call with the same id completes it. Any other named failure has changed nothing. `wasDone` if a reset of the workflow
   * repeats a completed revert.
   */
  async function revertToCheckpoint(input: {
    projectId: string;
    revertId: string;
    request: RevertRequest;
  }): Promise<RevertResult & { wasDone?: true }> {
    const { projectId, revertId, request } = input;
    const { checkpoint, reason } = request;
    const lineageId = `${projectId}/${revertId}`;
    const keptRef = `refs/longhaul/reverted/${projectId}/${revertId}`;
    const isFirst = Context.current().info.attempt === 1;
    let isBegun = await isReverted(database, lineageId);
    try {
      const project = await readProject(database, projectId);
      const repository = await openRepository(project.folder, project.branch);
      const target = await resolveCheckpoint(database, projectId, checkpoint);
      // If a reset of the workflow repeats this revert, a later one may have moved the project on.
      const isPast = isBegun && project.lineageId !== lineageId;
      if (isPast || (isBegun && (await isMovedOn(repository, target.commit, await repository.resolve(keptRef)))))
        return { checkpoint: target.id, commit: target.commit, keptRef, ...(isFirst && { wasDone: true }) };
      const left = await keepWhatIsLeft(repository, target.commit, { ...input, keptRef, isFirst });
      if (!isBegun) await repository.checkMove(left, target.commit);
      const { checkpointId, commit } = await revertProject(database, {
        lineageId,
        projectId,
        checkpoint,
        keptRef,
        reason,
      });
      isBegun = true;
      await repository.moveBranch(left, commit);
      return { checkpoint: checkpointId, commit, keptRef };
    } catch (error) {
      throw isBegun ? unfinished(refusal(error)) : refusal(error);
    }
  }

  /** Commits a person's changes and returns the commit that the branch leaves, kept under the ref. */
  async function keepWhatIsLeft(
    repository: ProjectRepository,
    target: string,
    { keptRef, isFirst, ...input }: { projectId: string; request: RevertRequest; keptRef: string; isFirst: boolean },
  ): Promise<string> {
    const left = await repository.resolve(keptRef);
    if (left && (await repository.head()) === target) return left;
    // What a person commits or edits between two attempts is kept too, without asking; a new request asks first.
    if (!left || isFirst) await checkRevert(input);
    const { head } = await repository.commitPersonChanges();
    if (!left || (await repository.isAncestor(left, head))) {
      if (head !== left) await repository.keep(keptRef, head, left ? { replacing: left } : {});
    } else {
      // The person moved the branch away from what was left; both stay kept.
      await repository.keep(`${keptRef}-${head}`, head);
    }
    return head;
  }
}

/**
 * The revert that began the project's current lineage, if the branch has not followed it and no feature has passed since. A person may have committed
 * meanwhile.
 */
export async function findUnfinishedRevert(
  database: Database,
  repository: ProjectRepository,
  { id, lineageId }: ProjectRow,
): Promise<Revert | undefined> {
  const { keptRef, checkpointId, reason } = (await findLineage(database, lineageId)) ?? {};
  if (!keptRef || !checkpointId) return undefined;
  const target = await resolveCheckpoint(database, id, checkpointId);
  const [head, left] = [await repository.head(), await repository.resolve(keptRef)];
  if (!head || !left || head === target.commit || !(await repository.isAncestor(left, head))) return undefined;
  if (await isMovedOn(repository, target.commit, left)) return undefined;
  const checkpoints = await readCheckpoints(database, id);
  if (checkpoints.some((one) => one.lineageId === lineageId)) return undefined;
  const request = { checkpoint: checkpointId.slice(id.length + 1), ...(reason && { reason }) };
  return { revertId: lineageId.slice(id.length + 1), request };
}

/** True if the branch reached the target and a person has committed on top of it: the revert is done, and their commits stay. */
async function isMovedOn(repository: ProjectRepository, target: string, left: string | undefined): Promise<boolean> {
  const head = await repository.head();
  if (!left || !head || head === target || !(await repository.isAncestor(target, head))) return false;
  // If the head shares more than the target with what was left, the branch has not been at the target.
  const shared = await repository.mergeBase(left, head);
  return shared === undefined || shared === target || !(await repository.isAncestor(target, shared));
}

/** Only the person can end a git operation of theirs, or what keeps git from writing. That may take a day, so the failure is shown at once. */
function refusal(error: unknown): unknown {
  return isGitError(error, 'RepositoryBusy', 'FilesNotFollowed')
    ? terminalFailure('RepositoryBusy', error.message, { cause: error })
    : nameFailure(error);
}

function unfinished(failure: unknown): unknown {
  if (!(failure instanceof Error)) return failure;
  const isTerminal = failure instanceof ApplicationFailure && failure.nonRetryable === true;
  return (isTerminal ? terminalFailure : retryableFailure)('RevertUnfinished', failure.message, { cause: failure });
}
