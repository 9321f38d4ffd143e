import { TemporalFailure, uuid4 } from '@temporalio/workflow';
import type { Revert, RevertRequest, RevertResult } from '../../domain/project/messages.ts';
import { git } from '../activities.ts';
import { explain, failureType } from '../failures.ts';
import type { ProjectState } from './project-state.ts';
import type { Pending } from './requests/pending.ts';

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Does a requested revert, or completes the incomplete one. */
export async function answerRevert(state: ProjectState, pending: Pending<RevertRequest, RevertResult>): Promise<void> {
  const { request, id } = pending;
  const { unfinishedRevert: unfinished } = state;
  const isSame = unfinished?.request.checkpoint === request.checkpoint;
  const revertId = unfinished && isSame ? unfinished.revertId : revertIdOf(id);
  const result = await revert(state, { revertId, request });
  if (result instanceof Error) pending.reject(result);
  else pending.resolve(result);
  state.requests.revertAnswered();
}

/** Tries again to complete the revert; if it fails, the project waits again and says why. */
export async function finishRevert(state: ProjectState): Promise<void> {
  const { unfinishedRevert: unfinished } = state;
  if (!unfinished) return;
  // The person has not been asked about changes made since then.
  await revert(state, { ...unfinished, request: { ...unfinished.request, overUncommittedChanges: false } });
}

async function revert(state: ProjectState, request: Revert): Promise<RevertResult | Error> {
  try {
    const { wasDone, ...result } = await git.revertToCheckpoint({ projectId: state.projectId, ...request });
    state.reverted(result, wasDone);
    return result;
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return state.revertFailed(request, failureType(error), explain(error));
  }
}

/** A UUID gives a repeated update the same id, so that a reset finds it done; other ids may differ only in what a ref cannot contain. */
function revertIdOf(updateId: string): string {
  return (isUuid.test(updateId) ? updateId : uuid4()).slice(0, 8);
}
