import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  setWorkflowOptions,
  startChild,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { OpenedProject } from '../activities/project.ts';
import type { Claim } from '../db/claim-feature.ts';
import type { ProjectSettings } from '../db/shapes.ts';
import type { ProjectStatus } from '../db/statuses.ts';
import { database, git } from './activities.ts';
import { explain, failure } from './failures.ts';
import { initializerWorkflow } from './initializer-workflow.ts';
import type { Hold, ProjectInput, SessionOutcome } from './messages.ts';
import { ProjectDisplay } from './project-display.ts';
import { createProjectMessages, type ProjectMessages, settled } from './project-messages.ts';
import { featureAttribute, projectAttribute } from './search-attributes.ts';
import { sessionWorkflow } from './session-workflow.ts';
import { type ChildHandle, childOptions, forwardPause, startWhenFree } from './start-child.ts';

export interface ProjectOutcome {
  status: ProjectStatus;
  reason: string;
}

setWorkflowOptions({ failureExceptionTypes: [Error] }, projectWorkflow);

/** Owns a project's life: plans it, works on its features one session at a time, and ends when all pass or a person says so. */
export async function projectWorkflow(input: ProjectInput = {}): Promise<ProjectOutcome> {
  const projectId = workflowInfo().workflowId;
  upsertSearchAttributes([{ key: projectAttribute, value: projectId }]);
  const messages = createProjectMessages(projectId, input.carried, () => project.sessions);
  const project = new Project(projectId, messages, input.carried?.sessions ?? 0);
  try {
    return await project.run(input);
  } catch (error) {
    if (isCancellation(error) || messages.abandoned) {
      return await CancellationScope.nonCancellable(() => project.end('ABANDONED', messages.abandoned ?? 'Cancelled.'));
    }
    await CancellationScope.nonCancellable(() => project.fail(explain(error)));
    throw error;
  }
}

const notStarted: Claim = { kind: 'not-started' };

/** The state of one project workflow and what it does between two messages. */
class Project {
  readonly id: string;
  readonly messages: ProjectMessages;
  sessions: number;
  settings: ProjectSettings | undefined;
  created = false;
  readonly display: ProjectDisplay;

  constructor(id: string, messages: ProjectMessages, sessions: number) {
    this.id = id;
    this.messages = messages;
    this.sessions = sessions;
    this.display = new ProjectDisplay(id, messages);
  }

  async run(input: ProjectInput): Promise<ProjectOutcome> {
    const { messages } = this;
    const { carried: _, ...request } = input;
    const opened = await git.createProject({ projectId: this.id, ...request });
    this.created = true;
    this.settings = opened.settings;
    this.sessions = Math.max(this.sessions, opened.sessions);
    if (!input.carried) {
      messages.sessionsLeft = opened.settings.maxSessions ?? null;
      messages.hold ??= this.holdOf(opened.status);
    }
    messages.onHoldChange = () => this.display.showHold();
    this.display.planned = opened.planned;
    if (!opened.planned) await this.plan(opened);
    if (messages.resumes > 0) await database.unblockFeatures({ projectId: this.id });

    for (;;) {
      if (messages.abandoned) return this.end('ABANDONED', messages.abandoned);
      const revert = messages.takeRevert();
      if (revert) {
        await messages.answer(revert, () => this.revert(revert.request));
        continue;
      }
      const asked = messages.takeSessionRequest();
      if (asked) {
        await this.runAskedSession(asked);
        continue;
      }
      if (messages.hold) {
        await this.wait(messages.hold);
        continue;
      }
      if (workflowInfo().continueAsNewSuggested) {
        await this.continueAsNew();
        continue;
      }
      const outcome = await this.takeNextFeature();
      if (outcome) return outcome;
    }
  }

  /** Turns the goal into features, by the initializer or from a list that a person brought. */
  async plan({ head, proposed, planning }: OpenedProject): Promise<void> {
    const { messages } = this;
    const runId = planning === 1 ? `${this.id}-init` : `${this.id}-init-${planning}`;
    await this.display.show('INITIALIZING', proposed ? 'Applying the features given' : 'The initializer is planning');
    if (!proposed) {
      await this.guarded(async () => {
        if (messages.hold) {
          await this.display.showHold();
          await condition(() => !messages.hold);
          if (patched('resumes-when-shown')) await this.display.settled();
        }
        await this.withChild((paused) =>
          startChild(initializerWorkflow, {
            ...childOptions,
            workflowId: runId,
            args: [{ projectId: this.id, runId, paused, ...(head && { commit: head }) }],
            staticSummary: 'Plans the features',
            typedSearchAttributes: [{ key: projectAttribute, value: this.id }],
          }),
        );
      });
    }
    if (messages.abandoned) return;
    const { workflowId, runId: workflowRunId } = workflowInfo();
    await git.applyProposal({ projectId: this.id, workflowId, workflowRunId });
    this.display.planned = true;
    if (!messages.hold) await this.display.show('ACTIVE', 'Planned');
  }

  /** Works on the next feature; returns the project's outcome where nothing is left to do. */
  async takeNextFeature(): Promise<ProjectOutcome | null> {
    const { messages } = this;
    const mayStart = messages.sessionsLeft !== 0;
    // Projects that began before this was looked at rest without a look at what is left to do.
    const claim = mayStart || patched('ends-without-sessions-left') ? await this.claim({ mayStart }) : notStarted;
    if (claim.kind === 'all-passing') {
      await settled(messages);
      if (messages.hasWork()) return null;
      await this.display.show('COMPLETED', 'Every feature passes.');
      await settled(messages); // what came while the end was being shown is answered before it
      if (messages.hasWork()) return null;
      return this.end('COMPLETED', 'Every feature passes.');
    }
    if (claim.kind === 'feature') {
      if (messages.sessionsLeft !== null) messages.sessionsLeft -= 1;
      await this.runSession(claim);
      return null;
    }
    if (claim.kind === 'not-started') {
      messages.hold = {
        kind: 'waiting',
        reason: 'It has used the sessions it was given. `resume` gives it as many again.',
      };
      return null;
    }
    const reason = claim.kind === 'busy' ? 'Another session is at work on what is left.' : claim.reason;
    messages.hold = { kind: 'waiting', reason: `${reason} \`resume\` gives blocked features new attempts.` };
    return null;
  }

  async runAskedSession(asked: NonNullable<ReturnType<ProjectMessages['takeSessionRequest']>>): Promise<void> {
    let claimed: (Claim & { kind: 'feature' }) | undefined;
    await this.messages.answer(asked, async () => {
      const claim = await this.claim({ feature: asked.request.feature });
      if (claim.kind !== 'feature') {
        const reason =
          claim.kind === 'refused' || claim.kind === 'blocked' ? claim.reason : `Nothing to do: ${claim.kind}.`;
        throw failure('InvalidInput', reason);
      }
      claimed = claim;
      return { sessionId: this.sessionId, feature: claim.feature, attempt: claim.attempt };
    });
    if (!claimed) return;
    const { hold, resumes } = this.messages;
    this.messages.hold = null; // this one session runs although the project rests
    await this.runSession(claimed);
    if (this.messages.resumes === resumes) this.messages.hold ??= hold;
  }

  /** A project that rested when its earlier workflow closed rests on, unless this one was started by a resume. */
  holdOf(status: ProjectStatus): Hold | null {
    if (this.messages.resumes > 0 || status === 'INITIALIZING' || status === 'ACTIVE' || status === 'COMPLETED')
      return null;
    const kind = status === 'WAITING' ? 'waiting' : 'paused';
    return { kind, reason: `It was ${status}. \`resume\` goes on.` };
  }

  get sessionId(): string {
    return `${this.id}-s${this.sessions}`;
  }

  async claim({ feature, mayStart = true }: { feature?: string | undefined; mayStart?: boolean }): Promise<Claim> {
    this.sessions += 1;
    const { sessionId, sessions: number } = this;
    // A claim that was made must be known here, also where somebody stops the project at that moment.
    const claim = await CancellationScope.nonCancellable(() =>
      database.claimFeature({
        projectId: this.id,
        sessionId,
        number,
        ...(feature && { feature }),
        ...(!mayStart && { mayStart }),
      }),
    );
    if (claim.kind !== 'feature') this.sessions -= 1;
    return claim;
  }

  async runSession(claim: Claim & { kind: 'feature' }): Promise<void> {
    const { messages } = this;
    const { sessionId } = this;
    upsertSearchAttributes([{ key: featureAttribute, value: claim.feature }]);
    messages.session = { id: sessionId, feature: claim.feature, attempt: claim.attempt };
    await this.display.showHold();
    const outcome = await this.guarded(() =>
      this.withChild<SessionOutcome>((paused) =>
        startChild(sessionWorkflow, {
          ...childOptions,
          workflowId: sessionId,
          args: [
            {
              projectId: this.id,
              sessionId,
              feature: claim.feature,
              category: claim.category,
              attempt: claim.attempt,
              paused,
            },
          ],
          staticSummary: `${claim.feature}, attempt ${claim.attempt}`,
          typedSearchAttributes: [
            { key: projectAttribute, value: this.id },
            { key: featureAttribute, value: claim.feature },
          ],
        }),
      ),
    );
    messages.session = undefined;
    if (!outcome) await this.releaseClaim(sessionId);
    if (outcome?.trouble && !messages.hold) {
      messages.hold = {
        kind: 'waiting',
        reason: `The session on "${claim.feature}" could not go on: ${outcome.reason}`,
      };
    }
  }

  /** Gives back what a session held that was stopped before it could do so itself; one that has ended stays as it ended. */
  async releaseClaim(sessionId: string): Promise<void> {
    await CancellationScope.nonCancellable(() =>
      database.endSession({
        projectId: this.id,
        sessionId,
        status: 'INTERRUPTED',
        reason: 'It was stopped before it had begun.',
      }),
    );
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

  async wait(hold: Hold): Promise<void> {
    const { messages } = this;
    await this.display.showHold();
    await condition(() => messages.hold !== hold || messages.hasWork());
    if (messages.hold) return;
    if (hold.kind === 'waiting') {
      messages.sessionsLeft = this.settings?.maxSessions ?? null;
      await database.unblockFeatures({ projectId: this.id });
    }
  }

  async revert(request: Parameters<typeof git.revertToCheckpoint>[0]['request']) {
    const result = await git.revertToCheckpoint({
      projectId: this.id,
      revertId: uuid4().slice(0, 8),
      request,
    });
    this.messages.hold = { kind: 'paused', reason: `Reverted to ${result.checkpoint}. \`resume\` goes on from there.` };
    return result;
  }

  /** Between two sessions, with every handler done; a message that arrives meanwhile is answered first. */
  async continueAsNew(): Promise<void> {
    const { messages } = this;
    await settled(messages);
    if (messages.hasWork() || messages.hold) return;
    await continueAsNew<typeof projectWorkflow>({
      carried: { sessions: this.sessions, sessionsLeft: messages.sessionsLeft },
    });
  }

  async end(status: 'COMPLETED' | 'ABANDONED', reason: string): Promise<ProjectOutcome> {
    this.messages.onHoldChange = undefined; // a pause that arrives now must not be what is shown of the end
    if (this.created && this.messages.view.status !== status) await this.display.show(status, reason);
    this.messages.refuseOpenRequests(`The project is ${status}.`);
    await condition(allHandlersFinished);
    return { status, reason };
  }

  async fail(reason: string): Promise<void> {
    this.messages.onHoldChange = undefined;
    if (this.created) await this.display.show('FAILED', reason);
    this.messages.refuseOpenRequests(reason);
    await condition(allHandlersFinished);
  }
}
