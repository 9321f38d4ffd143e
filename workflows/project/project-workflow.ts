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
import type { OpenedProject } from '../../activities/project/project.ts';
import type { Hold, ProjectInput } from '../../domain/project/messages.ts';
import type { ProjectSettings } from '../../domain/project/settings.ts';
import type { ProjectStatus } from '../../domain/project/statuses.ts';
import { database, git } from '../activities.ts';
import { explain } from '../failures.ts';
import { projectAttribute } from '../search-attributes.ts';
import { childOptions } from '../start-child.ts';
import { initializerWorkflow } from './initializer-workflow.ts';
import { ProjectChildren } from './project-children.ts';
import { ProjectDisplay } from './project-display.ts';
import { createProjectMessages, type ProjectMessages, settled } from './project-messages.ts';
import { ProjectReverts } from './project-reverts.ts';
import { ProjectSessions } from './project-sessions.ts';
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
  const messages = createProjectMessages(projectId, input.carried, () => project.sessions.count);
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

const everyFeaturePasses = 'Every feature passes.';

/** The state of one project workflow and what it does between two messages. */
class Project {
  readonly id: string;
  readonly messages: ProjectMessages;
  settings: ProjectSettings | undefined;
  created = false;
  /** As it had ended before it was begun again for a request, and the hold in which it rests until that is done. */
  ended: { status: 'ABANDONED' | 'FAILED'; reason: string; hold: Hold } | undefined;
  /** It was WAITING and has not been given what a resume gives. */
  waited = false;
  readonly reverts: ProjectReverts;
  readonly display: ProjectDisplay;
  readonly children: ProjectChildren;
  readonly sessions: ProjectSessions;

  constructor(id: string, messages: ProjectMessages, sessions: number) {
    this.id = id;
    this.messages = messages;
    this.reverts = new ProjectReverts(id, messages);
    this.display = new ProjectDisplay(id, messages);
    this.children = new ProjectChildren(id, messages);
    this.sessions = new ProjectSessions(id, sessions, this);
  }

  async run(input: ProjectInput): Promise<ProjectOutcome> {
    const { messages } = this;
    const { carried: _, resumed, ...request } = input;
    if (resumed) messages.resumes += 1;
    const opened = await git.createProject({ projectId: this.id, ...request });
    this.created = true;
    this.settings = opened.settings;
    this.sessions.count = Math.max(this.sessions.count, opened.sessions);
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
        if (await this.sessions.runAsked(asked)) this.ended = undefined;
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
      if ((await this.sessions.runNext()) !== 'all-passing') continue;
      if (await this.complete()) return this.end('COMPLETED', everyFeaturePasses);
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

  /** Shows that the project is complete; false if a message that came meanwhile asks for more. */
  async complete(): Promise<boolean> {
    const { messages } = this;
    await settled(messages);
    if (messages.hasWork()) return false;
    await this.display.show('COMPLETED', everyFeaturePasses);
    await settled(messages); // what came while the end was being shown is answered before it
    return !messages.hasWork();
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
      carried: { sessions: this.sessions.count, sessionsLeft: messages.sessionsLeft },
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
