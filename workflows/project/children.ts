import {
  ChildWorkflowFailure,
  condition,
  getExternalWorkflowHandle,
  startChild,
  TerminatedFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { SessionOutcome } from '../../domain/project/messages.ts';
import { database } from '../activities.ts';
import { closeSandbox } from '../agent/close-sandbox.ts';
import { explain } from '../failures.ts';
import { featureAttribute, projectAttribute } from '../search-attributes.ts';
import { sessionWorkflow } from '../session/session-workflow.ts';
import { askToStop, childOptions, forwardPause, startWhenFree, untilStopped } from '../start-child.ts';
import type { ProjectState } from './project-state.ts';
import type { Child, Session } from './session.ts';
import { stoppable, stopped } from './stoppable.ts';

/** Forwards the project's hold, or its end, to a child. */
export function notifyChild(state: ProjectState, child: Child): void {
  forwardPause(getExternalWorkflowHandle(child.id), state.hold ? state.pauseRequest : null);
  state.childNotified(child);
}

/** Runs a session from the claim of its feature to its verified commit, or to its end without one. */
export async function runSession(state: ProjectState, session: Session): Promise<void> {
  const { projectId } = state;
  const claim = await database.claimFeature({
    projectId,
    sessionId: session.id,
    number: session.number,
    feature: session.request?.request.feature,
    mayStart: session.request !== undefined || state.mayStartSession,
  });
  if (claim.kind !== 'feature') return state.sessionNotClaimed(session, claim);
  state.sessionClaimed(session, claim);
  upsertSearchAttributes([{ key: featureAttribute, value: claim.feature }]);
  state.sessionEnded(session, await workOn(state, session, claim));
}

async function workOn(
  state: ProjectState,
  session: Session,
  { feature, category, attempt }: NonNullable<Session['claim']>,
): Promise<SessionOutcome> {
  const { projectId } = state;
  try {
    const outcome = await stoppable(
      () => state.mustStop,
      async () => {
        // Its model calls read the status from the database, so that must be up to date first.
        await condition(() => state.hold !== null || state.isShown);
        const child = await startWhenFree(() =>
          startChild(sessionWorkflow, {
            ...childOptions,
            workflowId: session.id,
            args: [
              {
                projectId,
                sessionId: session.id,
                feature,
                category,
                attempt,
                requestedByName: session.request?.request.feature !== undefined,
                verifyOnly: session.request?.request.verifyOnly ?? false,
                paused: state.childStarting(session),
              },
            ],
            staticSummary: `${feature}, attempt ${attempt}`,
            typedSearchAttributes: [
              { key: projectAttribute, value: projectId },
              { key: featureAttribute, value: feature },
            ],
          }),
        );
        state.childStarted(session);
        return child.result();
      },
    );
    return outcome === stopped ? await release(state, session.id, 'It was stopped before it started.') : outcome;
  } catch (error) {
    if (!(error instanceof ChildWorkflowFailure)) throw error;
    const reason = error.cause instanceof TerminatedFailure ? 'it was terminated.' : explain(error);
    return { ...(await release(state, session.id, reason)), unavailable: true };
  }
}

/** Discards the verified work of a session that has not landed. */
export async function interruptSession(state: ProjectState, session: Session): Promise<void> {
  state.sessionEnded(session, await release(state, session.id, 'It was stopped.'));
}

/** Ends a session that a reset of the project left running. It is no child of this workflow, so no pause, abandon or revert reaches it. */
export async function stopLeftSession(state: ProjectState, sessionId: string): Promise<void> {
  await askToStop(sessionId); // even if the project is already abandoned
  await stoppable(
    () => state.mustStop,
    () => untilStopped(sessionId),
  );
  await release(state, sessionId, 'The project restarted without it.');
}

/** Ends a session that could not end itself; one that has ended is unchanged. */
async function release({ projectId }: ProjectState, sessionId: string, reason: string) {
  await database.endSession({ projectId, sessionId, status: 'INTERRUPTED', reason });
  await closeSandbox(projectId, sessionId);
  return { kind: 'interrupted', reason } as const;
}
