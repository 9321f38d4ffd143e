import {
  allHandlersFinished,
  CancellationScope,
  ContinueAsNew,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  setWorkflowOptions,
  startChild,
  upsertSearchAttributes,
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
import { ProjectChildren } from './project-children.ts';
import { ProjectDisplay } from './project-display.ts';
import { createProjectMessages, type ProjectMessages, settled } from './project-messages.ts';
import { ProjectReverts } from './project-reverts.ts';
import { featureAttribute, projectAttribute } from './search-attributes.ts';
import { sessionWorkflow } from './session-workflow.ts';
import { childOptions } from './start-child.ts';
import { endsAgain, untilResumed } from './unplanned-project.ts';

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
    // In older histories a project was shown as FAILED before it continued as new.
    if (error instanceof ContinueAsNew && patched('continues-without-failing')) throw error;
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
  /** As it had ended before it was begun again for a request, and the hold in which it rests until that is done. */
  ended: { status: 'ABANDONED' | 'FAILED'; reason: string; hold: Hold } | undefined;
  /** It was WAITING and has not been given what a resume gives. */
  waited = false;
  readonly reverts: ProjectReverts;
  readonly display: ProjectDisplay;
  readonly children: ProjectChildren;

  constructor(id: string, messages: ProjectMessages, sessions: number) {
    this.id = id;
    this.messages = messages;
    this.sessions = sessions;
    this.reverts = new ProjectReverts(id, messages);
    this.display = new ProjectDisplay(id, messages);
    this.children = new ProjectChildren(id, messages);
  }

  async run(input: ProjectInput): Promise<ProjectOutcome> {
    const { messages } = this;
    const { carried: _, resumed, ...request } = input;
    if (resumed) messages.resumes += 1;
    const opened = await git.createProject({ projectId: this.id, ...request });
    this.created = true;
    this.settings = opened.settings;
    this.sessions = Math.max(this.sessions, opened.sessions);
    this.reverts.unfinished = opened.unfinished;
    if (!input.carried) {
      messages.sessionsLeft = opened.settings.maxSessions ?? null;
      messages.hold ??= this.holdOf(opened.status);
      this.ended = this.endOf(opened);
    }
    messages.onHoldChange = () => this.display.showHold();
    this.display.planned = opened.planned;
    if (!opened.planned) {
      if (this.ended && (await endsAgain(messages, this.ended.hold)))
        return this.end(this.ended.status, this.ended.reason);
      await this.plan(opened);
    }
    if (opened.left) await this.children.endLeft(opened.left);
    if (messages.resumes > 0) await database.unblockFeatures({ projectId: this.id });

    for (;;) {
      if (messages.abandoned) return this.end('ABANDONED', messages.abandoned);
      const revert = messages.takeRevert();
      if (revert) {
        await messages.answer(revert, () => this.reverts.revert(revert.request, revert.id));
        continue;
      }
      const asked = messages.takeSessionRequest();
      if (asked) {
        await this.runAskedSession(asked);
        continue;
      }
      if (messages.hold) {
        if (messages.hold === this.ended?.hold && patched('ends-again')) {
          await settled(messages);
          if (messages.hasWork() || messages.hold !== this.ended.hold) continue;
          return this.end(this.ended.status, this.ended.reason);
        }
        await this.wait(messages.hold);
        continue;
      }
      if (this.reverts.unfinished) {
        await this.reverts.finish();
        continue;
      }
      // A pause, revert or requested session replaced the hold it was waiting in, so `wait` did not renew it.
      if (this.waited && patched('renews-after-any-hold')) {
        await this.renew();
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
      await this.children.guarded(async () => {
        if (messages.hold) {
          await this.display.showHold();
          await untilResumed(messages);
          if (patched('resumes-when-shown')) await this.display.settled();
        }
        await this.children.withChild((paused) =>
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
    // In older histories a project without sessions left rested, without asking what is left to do.
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
      // Not below zero, which after a reset the sessions that are there already would make it.
      if (messages.sessionsLeft !== null) messages.sessionsLeft = Math.max(0, messages.sessionsLeft - 1);
      await this.runSession(claim);
      return null;
    }
    messages.hold = { kind: 'waiting', reason: this.whyItWaits(claim) };
    return null;
  }

  whyItWaits(claim: Exclude<Claim, { kind: 'feature' | 'all-passing' }>): string {
    if (claim.kind === 'not-started') {
      return this.messages.sessionsLeft === 0
        ? 'It has used the sessions it was given. `resume` gives it as many again.'
        : 'The session that was asked for is over. `resume` goes on with what is left.';
    }
    return `${tellUnclaimed(claim)} \`resume\` gives blocked features new attempts.`;
  }

  async runAskedSession(asked: NonNullable<ReturnType<ProjectMessages['takeSessionRequest']>>): Promise<void> {
    let claimed: (Claim & { kind: 'feature' }) | undefined;
    await this.messages.answer(asked, async () => {
      if (this.reverts.unfinished) throw failure('RevertUnfinished', this.reverts.tellUnfinished());
      const claim = await this.claim({ feature: asked.request.feature });
      if (claim.kind !== 'feature') {
        throw failure('InvalidInput', tellUnclaimed(claim));
      }
      claimed = claim;
      return { sessionId: this.sessionId, feature: claim.feature, attempt: claim.attempt };
    });
    if (!claimed) return;
    this.ended = undefined;
    const { hold, resumes, budgetsSet } = this.messages;
    this.messages.hold = null; // this one session runs although the project rests
    await this.runSession(claimed);
    if (hold) await this.restAgain(hold, { resumes, budgetsSet });
  }

  /** Rests as before a session that was asked for, if nothing that came meanwhile has it go on or rest for another reason. */
  async restAgain(hold: Hold, before: Pick<ProjectMessages, 'resumes' | 'budgetsSet'>): Promise<void> {
    const { messages } = this;
    const isSettled = () => messages.hold !== null || messages.resumes !== before.resumes;
    if (isSettled()) return;
    // In older histories it rested until a resume though its budget was raised, and for what the session had put right.
    if (hold.budget && messages.budgetsSet !== before.budgetsSet && patched('goes-on-with-new-budget')) return;
    if (hold.kind === 'paused' || messages.mustStop() || !patched('waits-for-what-is-left')) {
      messages.hold = hold;
      return;
    }
    const claim = await this.claim({ mayStart: false });
    if (claim.kind === 'all-passing' || claim.kind === 'feature' || isSettled()) return;
    messages.hold = { kind: 'waiting', reason: this.whyItWaits(claim) };
  }

  /** A project that rested when its earlier workflow closed rests on, unless this one was started by a resume. */
  holdOf(status: ProjectStatus): Hold | null {
    if (this.messages.resumes > 0 || status === 'INITIALIZING' || status === 'ACTIVE' || status === 'COMPLETED')
      return null;
    const kind = status === 'WAITING' ? 'waiting' : 'paused';
    return { kind, reason: `It was ${status}. \`resume\` goes on.` };
  }

  /** A request that is refused does not take a project out of its end. */
  endOf({ status, reason }: OpenedProject): Project['ended'] {
    const { hold } = this.messages;
    if (!hold || (status !== 'ABANDONED' && status !== 'FAILED')) return undefined;
    return { status, reason: reason ?? hold.reason, hold };
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
    const outcome = await this.children
      .guarded(() =>
        this.children.withChild<SessionOutcome>((paused) =>
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
      )
      .catch((error: unknown) => this.children.outliveSession(sessionId, error));
    messages.session = undefined;
    if (!outcome) await this.children.releaseClaim(sessionId, 'It was stopped before it had begun.');
    if (outcome?.trouble && !messages.hold) {
      messages.hold = {
        kind: 'waiting',
        reason: `The session on "${claim.feature}" could not go on: ${outcome.reason}`,
      };
    }
  }

  async wait(hold: Hold): Promise<void> {
    const { messages } = this;
    this.waited ||= hold.kind === 'waiting';
    await this.display.showHold();
    await condition(() => messages.hold !== hold || messages.hasWork());
    if (!messages.hold && hold.kind === 'waiting') await this.renew();
  }

  /** Gives what a project that waits is resumed for: as many sessions as it had at first, new attempts for blocked features. */
  async renew(): Promise<void> {
    this.waited = false;
    this.messages.sessionsLeft = this.settings?.maxSessions ?? null;
    await database.unblockFeatures({ projectId: this.id });
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

  async end(status: 'COMPLETED' | 'ABANDONED' | 'FAILED', reason: string): Promise<ProjectOutcome> {
    this.messages.onHoldChange = undefined; // a pause that arrives now must not be what is shown of the end
    this.messages.ending = true;
    if (this.created && this.messages.view.status !== status) await this.display.show(status, reason);
    if (!this.created && status === 'ABANDONED') await this.endUnopened(status, reason);
    this.messages.refuseOpenRequests(`The project is ${status}.`);
    await condition(allHandlersFinished);
    if (status !== 'COMPLETED') await this.beginAnewIfResumed();
    return { status, reason };
  }

  /** A resume that came when the end was already being shown would be lost with this workflow. */
  async beginAnewIfResumed(): Promise<void> {
    if (!this.messages.resumedAfterEnd || !patched('begins-anew-when-resumed-at-its-end')) return;
    await continueAsNew<typeof projectWorkflow>({ resumed: true });
  }

  /** Its folder may be gone, so that it cannot be opened to be ended; one that was there before is not to look as if it went on. */
  async endUnopened(status: 'ABANDONED' | 'FAILED', reason: string): Promise<void> {
    if (!patched('ends-what-it-could-not-open')) return;
    await database.endUnopenedProject({ projectId: this.id, status, reason });
  }

  async fail(reason: string): Promise<void> {
    this.messages.onHoldChange = undefined;
    this.messages.ending = true;
    if (this.created) await this.display.show('FAILED', reason);
    else await this.endUnopened('FAILED', reason);
    this.messages.refuseOpenRequests(reason);
    await condition(allHandlersFinished);
    await this.beginAnewIfResumed();
  }
}

/** Why there is no feature to work on. */
function tellUnclaimed(claim: Exclude<Claim, { kind: 'feature' }>): string {
  return 'reason' in claim ? claim.reason : unclaimed[claim.kind];
}

const unclaimed = {
  'all-passing': 'Every feature passes.',
  busy: 'Another session is at work on what is left.',
  'not-started': 'No session may be started.',
} as const;
