import {
  CancellationScope,
  ChildWorkflowFailure,
  isCancellation,
  patched,
  TerminatedFailure,
} from '@temporalio/workflow';
import type { SessionOutcome } from '../../domain/project/messages.ts';
import { database } from '../activities.ts';
import { closeSandbox } from '../agent/close-sandbox.ts';
import { explain } from '../failures.ts';
import { askToStop, type ChildHandle, forwardPause, startWhenFree, untilStopped } from '../start-child.ts';
import type { ProjectMessages } from './project-messages.ts';

/** How a project workflow does with its children, the initializer and the sessions: it starts, pauses, stops and outlives them. */
export class ProjectChildren {
  readonly projectId: string;
  readonly messages: ProjectMessages;

  constructor(projectId: string, messages: ProjectMessages) {
    this.projectId = projectId;
    this.messages = messages;
  }

  /** Does work that abandon and revert may stop; returns undefined where one of them did. */
  async guarded<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const scope = new CancellationScope();
    this.messages.stopWork = () => scope.cancel();
    try {
      if (this.messages.mustStop()) return undefined;
      return await scope.run(work);
    } catch (error) {
      if (isCancellation(error) && this.messages.mustStop()) return undefined;
      throw error;
    } finally {
      this.messages.stopWork = undefined;
    }
  }

  /** Starts a child, hands pauses on to it, and waits for its result. */
  async withChild<Result>(start: (paused: boolean) => Promise<ChildHandle<Result>>): Promise<Result> {
    const { messages } = this;
    const paused = messages.hold?.kind === 'paused';
    const { resumes } = messages;
    const child = await startWhenFree(() => start(paused));
    messages.forward = (request) => forwardPause(child, request);
    const pausedNow = messages.hold?.kind === 'paused';
    // One that was paused and resumed while it was starting may have found itself paused, and waits for the resume.
    const missed = messages.resumes !== resumes && patched('resumes-when-shown');
    if (pausedNow !== paused || missed) messages.forward(pausedNow ? messages.pauseRequest : null);
    try {
      return await child.result();
    } finally {
      messages.forward = undefined;
    }
  }

  /** Ends a session that a reset of the project left running. It is not a child of this workflow: no pause, abandon or revert would reach it. */
  async endLeft(sessionId: string): Promise<void> {
    await askToStop(sessionId); // even if the project is already abandoned, when `guarded` does nothing
    await this.guarded(() => untilStopped(sessionId));
    await this.releaseClaim(sessionId, 'It was gone when its project began anew.');
    await closeSandbox(sessionId); // a session that was terminated could not
  }

  /** Does for a session what it could not do itself: it was terminated, or failed in its own end. */
  async outliveSession(sessionId: string, error: unknown): Promise<SessionOutcome> {
    const isGone = error instanceof ChildWorkflowFailure && !isCancellation(error);
    if (!isGone || !patched('outlives-sessions')) throw error;
    const reason = error.cause instanceof TerminatedFailure ? 'it was terminated.' : explain(error);
    await this.releaseClaim(sessionId, reason);
    await closeSandbox(sessionId);
    return { status: 'INTERRUPTED', reason, trouble: true };
  }

  /** Gives back what a session held that was stopped before it could do so itself; one that has ended stays as it ended. */
  async releaseClaim(sessionId: string, reason: string): Promise<void> {
    await CancellationScope.nonCancellable(() =>
      database.endSession({ projectId: this.projectId, sessionId, status: 'INTERRUPTED', reason }),
    );
  }
}
