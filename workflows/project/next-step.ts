import type { Answerer, AnswerSignal } from '../../domain/permissions/request.ts';
import type { RevertRequest, RevertResult } from '../../domain/project/messages.ts';
import type { ProjectState } from './project-state.ts';
import type { ProjectEnd, View } from './project-view.ts';
import type { Pending } from './requests/pending.ts';
import type { Child, Session } from './session.ts';

/** What a project does next. */
export type Step =
  | { kind: 'wait' }
  | { kind: 'fail'; error: unknown }
  /** Forward a pause or resume to a child. */
  | { kind: 'notify'; child: Child }
  /** Store the status that a person sees. */
  | { kind: 'show'; view: View }
  | { kind: 'end'; end: ProjectEnd }
  /** The end is shown: no more requests are accepted. */
  | { kind: 'close'; end: ProjectEnd }
  /** Stop sessions that an earlier workflow left running. */
  | { kind: 'stop-left-sessions'; ids: string[] }
  /** Discard verified work that has not landed. */
  | { kind: 'interrupt'; session: Session }
  | { kind: 'revert'; pending: Pending<RevertRequest, RevertResult> }
  | { kind: 'finish-revert' }
  /** Store an answer to what waits in the inbox. */
  | { kind: 'keep-answer'; answer: AnswerSignal & { by: Answerer } }
  /** Read which request has the next deadline. */
  | { kind: 'read-deadline' }
  | { kind: 'plan' }
  /** Renew sessions and attempts. */
  | { kind: 'renew' }
  | { kind: 'start-session'; requested: boolean }
  | { kind: 'land'; session: Session }
  | { kind: 'continue-as-new' };

const wait: Step = { kind: 'wait' };

/** `isHistoryLong`: the workflow should continue as new soon. */
export function nextStep(state: Readonly<ProjectState>, isHistoryLong = false): Step {
  if (state.failure) return { kind: 'fail', error: state.failure.error };
  const child = state.childToNotify;
  if (child) return { kind: 'notify', child };
  if (!state.isShown && !state.isShowing) return { kind: 'show', view: state.view };
  if (state.ending) return state.isShown ? { kind: 'close', end: state.ending } : wait;
  if (state.leftSessions.length) return { kind: 'stop-left-sessions', ids: state.leftSessions };
  if (state.mustStop) return stop(state);
  const [answer] = state.requests.answers;
  if (answer) return { kind: 'keep-answer', answer };
  if (state.requests.deadlineIsDue) return { kind: 'read-deadline' };
  const end = findEnd(state);
  if (end) return { kind: 'end', end };
  if (state.planning !== 'done') return state.planning === 'due' && state.mayWork ? { kind: 'plan' } : wait;
  if (state.requests.sessions.length && state.sessions.hasFreeSlot) {
    // First the status before it, so that the log tells what happened in order.
    return state.isShowing ? wait : { kind: 'start-session', requested: true };
  }
  return state.mayWork ? work(state, isHistoryLong) : wait;
}

/** For an abandon or a revert: running work ends first. */
function stop(state: Readonly<ProjectState>): Step {
  const [waiting] = state.sessions.landingQueue;
  if (waiting) return { kind: 'interrupt', session: waiting };
  if (state.isBusy) return wait;
  if (state.abandoned !== undefined) return { kind: 'end', end: { status: 'ABANDONED', reason: state.abandoned } };
  const [pending] = state.requests.reverts;
  return pending ? { kind: 'revert', pending } : wait;
}

function findEnd({ requests, isBusy, ended, hold, everythingPasses }: Readonly<ProjectState>) {
  if (requests.sessions.length || isBusy) return undefined;
  // A refused request leaves an ended project ended.
  if (ended && hold === ended.hold) return { status: ended.status, reason: ended.reason };
  return everythingPasses ? ({ status: 'COMPLETED', reason: 'Every feature passes.' } as const) : undefined;
}

function work(state: Readonly<ProjectState>, isHistoryLong: boolean): Step {
  if (state.unfinishedRevert) return { kind: 'finish-revert' };
  if (state.renewalDue && !state.interruptedHold) return { kind: 'renew' };
  const [verified] = state.sessions.landingQueue;
  if (verified && !state.sessions.isLanding) return { kind: 'land', session: verified };
  if (isHistoryLong && !state.interruptedHold) return state.isWorking ? wait : { kind: 'continue-as-new' };
  if (state.sessions.hasFreeSlot && !state.nothingReady) return { kind: 'start-session', requested: false };
  return wait;
}
