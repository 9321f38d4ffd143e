import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  TemporalFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ProjectInput } from '../../domain/project/messages.ts';
import { database, git } from '../activities.ts';
import { explain } from '../failures.ts';
import { projectAttribute, statusAttribute } from '../search-attributes.ts';
import { interruptSession, notifyChild, runSession, stopLeftSession } from './children.ts';
import { landSession } from './land-session.ts';
import { nextStep, type Step } from './next-step.ts';
import { planProject } from './plan-project.ts';
import { ProjectState } from './project-state.ts';
import type { ProjectEnd, View } from './project-view.ts';
import { handleMessages } from './requests/message-handlers.ts';
import { answerRevert, finishRevert } from './revert.ts';

/** Owns a project's life: plans it, works on its features, lands verified work, and ends when all features pass or a person ends it. */
export async function projectWorkflow(input: ProjectInput = {}): Promise<ProjectEnd> {
  const projectId = workflowInfo().workflowId;
  upsertSearchAttributes([{ key: projectAttribute, value: projectId }]);
  const state = new ProjectState(projectId, input.carried);
  handleMessages(state);
  if (input.resumed) state.resume();
  // A cancellation in the Temporal UI is an abandon like any other.
  CancellationScope.current().cancelRequested.catch(() => state.abandon('Cancelled.'));
  return CancellationScope.nonCancellable(() => live(state, input));
}

async function live(state: ProjectState, input: ProjectInput): Promise<ProjectEnd> {
  const { projectId } = state;
  const { carried, resumed: _, ...request } = input;
  let isOpen = false;
  try {
    const opened = await git.createProject({ projectId, ...request });
    isOpen = true;
    state.opened(opened, carried);
    for (;;) {
      const step = next();
      setCurrentDetails(`**${state.view.status}**\n\n${state.view.reason}`);
      switch (step.kind) {
        case 'wait':
          await untilNext(state, () => next().kind !== 'wait');
          break;
        case 'notify':
          notifyChild(state, step.child);
          break;
        case 'show':
          inBackground(show(state, step.view));
          break;
        case 'plan':
          inBackground(planProject(state, opened));
          break;
        case 'start-session':
          inBackground(runSession(state, state.sessionOpened(step)));
          break;
        case 'land':
          inBackground(landSession(state, step.session));
          break;
        case 'keep-answer':
          state.answered(await database.answerRequest({ projectId, ...step.answer }));
          break;
        case 'read-deadline':
          state.requests.deadlineRead(await database.readDeadline({ projectId }));
          break;
        case 'interrupt':
          await interruptSession(state, step.session);
          break;
        case 'stop-left-sessions':
          for (const id of step.ids) await stopLeftSession(state, id);
          state.leftSessionsStopped();
          break;
        case 'revert':
          await answerRevert(state, step.pending);
          break;
        case 'finish-revert':
          await finishRevert(state);
          break;
        case 'renew':
          await database.unblockFeatures({ projectId, running: state.sessions.all.map(({ id }) => id) });
          state.renewed();
          break;
        case 'continue-as-new':
          if (await isSettled(step)) await continueAsNew<typeof projectWorkflow>({ carried: state.carried });
          break;
        case 'end':
          if (await isSettled(step)) state.end(step.end);
          break;
        case 'close':
          if (await isSettled(step)) return await close(state, step.end);
          break;
        case 'fail':
          throw step.error;
      }
    }
  } catch (error) {
    // Anything else is a bug: the workflow task keeps failing until a fixed version runs.
    if (!(error instanceof TemporalFailure)) throw error;
    return await fail(state, error, isOpen);
  }

  function next(): Step {
    return nextStep(state, workflowInfo().continueAsNewSuggested);
  }

  /** Waits for the messages in progress; false if one of them requests something else first. */
  async function isSettled(step: Step): Promise<boolean> {
    await condition(() => allHandlersFinished() || next().kind !== step.kind);
    return next().kind === step.kind;
  }

  function inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => state.failed(error));
  }
}

/** Waits until something is to be done, at most until the next deadline of a request. */
async function untilNext(state: ProjectState, isDue: () => boolean): Promise<void> {
  if (!state.requests.deadline) return condition(isDue);
  const left = Math.max(1, Date.parse(state.requests.deadline.deadline) - Date.now());
  if (!(await condition(isDue, left))) state.requests.deadlinePassed();
}

/** Ends the project for a named failure; throws it unless a person had abandoned the project anyway. */
async function fail(state: ProjectState, error: TemporalFailure, isOpen: boolean): Promise<ProjectEnd> {
  const status = state.abandoned === undefined ? 'FAILED' : 'ABANDONED';
  const end = { status, reason: state.abandoned ?? explain(error) } as const;
  state.end(end);
  await condition(() => !state.isShowing);
  // Mark a project ended although its folder can't be opened.
  if (isOpen) await show(state, end);
  else await database.endUnopenedProject({ projectId: state.projectId, ...end });
  await close(state, end);
  if (status === 'FAILED') throw error;
  return end;
}

/** Refuses open requests, and starts the project again for a resume that came too late to stop its end. */
async function close(state: ProjectState, end: ProjectEnd): Promise<ProjectEnd> {
  state.requests.close(end.status === 'FAILED' ? end.reason : `The project is ${end.status}.`);
  await condition(allHandlersFinished);
  if (state.resumedAtEnd && end.status !== 'COMPLETED') await continueAsNew<typeof projectWorkflow>({ resumed: true });
  return end;
}

/** Stores the status that a person sees; one write at a time, so that the latest stays. */
async function show(state: ProjectState, view: View): Promise<void> {
  const { status, reason } = view;
  const { projectId } = state;
  state.showing();
  upsertSearchAttributes([{ key: statusAttribute, value: status }]);
  try {
    await database.setProjectStatus({ projectId, status, ...(status !== 'ACTIVE' && { reason }) });
    state.shown(view);
  } finally {
    state.showingEnded();
  }
}
