import { CancellationScope, patched, startChild, upsertSearchAttributes } from '@temporalio/workflow';
import type { Claim } from '../../db/project/claim-feature.ts';
import type { Hold, SessionOutcome } from '../../domain/project/messages.ts';
import { database } from '../activities.ts';
import { failure } from '../failures.ts';
import { featureAttribute, projectAttribute } from '../search-attributes.ts';
import { sessionWorkflow } from '../session/session-workflow.ts';
import { childOptions } from '../start-child.ts';
import type { ProjectChildren } from './project-children.ts';
import type { ProjectDisplay } from './project-display.ts';
import type { ProjectMessages } from './project-messages.ts';
import type { ProjectReverts } from './project-reverts.ts';

type FeatureClaim = Claim & { kind: 'feature' };

const notStarted: Claim = { kind: 'not-started' };

/** The sessions of a project: which feature the next one works on, and its run. */
export class ProjectSessions {
  /** How many there were. */
  count: number;
  readonly #id: string;
  readonly #messages: ProjectMessages;
  readonly #display: ProjectDisplay;
  readonly #children: ProjectChildren;
  readonly #reverts: ProjectReverts;

  constructor(
    id: string,
    count: number,
    parts: { messages: ProjectMessages; display: ProjectDisplay; children: ProjectChildren; reverts: ProjectReverts },
  ) {
    this.#id = id;
    this.count = count;
    this.#messages = parts.messages;
    this.#display = parts.display;
    this.#children = parts.children;
    this.#reverts = parts.reverts;
  }

  /** Works on the next feature, or has the project wait where none can be worked on; tells if every feature passes. */
  async runNext(): Promise<'all-passing' | undefined> {
    const messages = this.#messages;
    const mayStart = messages.sessionsLeft !== 0;
    // In older histories a project without sessions left rested, without asking what is left to do.
    const claim = mayStart || patched('ends-without-sessions-left') ? await this.#claim({ mayStart }) : notStarted;
    if (claim.kind === 'all-passing') return 'all-passing';
    if (claim.kind === 'feature') {
      // Not below zero, which after a reset the sessions that are there already would make it.
      if (messages.sessionsLeft !== null) messages.sessionsLeft = Math.max(0, messages.sessionsLeft - 1);
      await this.#run(claim);
      return undefined;
    }
    messages.hold = { kind: 'waiting', reason: this.#whyItWaits(claim) };
    return undefined;
  }

  /** Runs the session that a person asked for, also in a project that rests; false if it was refused. */
  async runAsked(asked: NonNullable<ReturnType<ProjectMessages['takeSessionRequest']>>): Promise<boolean> {
    const messages = this.#messages;
    let claimed: FeatureClaim | undefined;
    await messages.answer(asked, async () => {
      if (this.#reverts.unfinished) throw failure('RevertUnfinished', this.#reverts.tellUnfinished());
      const claim = await this.#claim({ feature: asked.request.feature });
      if (claim.kind !== 'feature') throw failure('InvalidInput', tellUnclaimed(claim));
      claimed = claim;
      return { sessionId: this.#latestId, feature: claim.feature, attempt: claim.attempt };
    });
    if (!claimed) return false;
    const { hold, resumes, budgetsSet } = messages;
    messages.hold = null; // this one session runs although the project rests
    await this.#run(claimed);
    if (hold) await this.#restAgain(hold, { resumes, budgetsSet });
    return true;
  }

  /** Rests as before a session that was asked for, if nothing that came meanwhile has it go on or rest for another reason. */
  async #restAgain(hold: Hold, before: Pick<ProjectMessages, 'resumes' | 'budgetsSet'>): Promise<void> {
    const messages = this.#messages;
    const isSettled = () => messages.hold !== null || messages.resumes !== before.resumes;
    if (isSettled()) return;
    // In older histories it rested until a resume though its budget was raised, and for what the session had put right.
    if (hold.budget && messages.budgetsSet !== before.budgetsSet && patched('goes-on-with-new-budget')) return;
    if (hold.kind === 'paused' || messages.mustStop() || !patched('waits-for-what-is-left')) {
      messages.hold = hold;
      return;
    }
    const claim = await this.#claim({ mayStart: false });
    if (claim.kind === 'all-passing' || claim.kind === 'feature' || isSettled()) return;
    messages.hold = { kind: 'waiting', reason: this.#whyItWaits(claim) };
  }

  get #latestId(): string {
    return `${this.#id}-s${this.count}`;
  }

  async #claim({ feature, mayStart = true }: { feature?: string | undefined; mayStart?: boolean }): Promise<Claim> {
    this.count += 1;
    const [sessionId, number] = [this.#latestId, this.count];
    // A claim that was made must be known here, also where somebody stops the project at that moment.
    const claim = await CancellationScope.nonCancellable(() =>
      database.claimFeature({
        projectId: this.#id,
        sessionId,
        number,
        ...(feature && { feature }),
        ...(!mayStart && { mayStart }),
      }),
    );
    if (claim.kind !== 'feature') this.count -= 1;
    return claim;
  }

  async #run({ feature, category, attempt }: FeatureClaim): Promise<void> {
    const messages = this.#messages;
    const projectId = this.#id;
    const sessionId = this.#latestId;
    upsertSearchAttributes([{ key: featureAttribute, value: feature }]);
    messages.session = { id: sessionId, feature, attempt };
    await this.#display.showHold();
    const outcome = await this.#children
      .guarded(() =>
        this.#children.withChild<SessionOutcome>((paused) =>
          startChild(sessionWorkflow, {
            ...childOptions,
            workflowId: sessionId,
            args: [{ projectId, sessionId, feature, category, attempt, paused }],
            staticSummary: `${feature}, attempt ${attempt}`,
            typedSearchAttributes: [
              { key: projectAttribute, value: projectId },
              { key: featureAttribute, value: feature },
            ],
          }),
        ),
      )
      .catch((error: unknown) => this.#children.outliveSession(sessionId, error));
    messages.session = undefined;
    if (!outcome) await this.#children.releaseClaim(sessionId, 'It was stopped before it had begun.');
    if (outcome?.trouble && !messages.hold) {
      const reason = `The session on "${feature}" could not go on: ${outcome.reason}`;
      messages.hold = { kind: 'waiting', reason };
    }
  }

  #whyItWaits(claim: Exclude<Claim, { kind: 'feature' | 'all-passing' }>): string {
    if (claim.kind === 'not-started') {
      return this.#messages.sessionsLeft === 0
        ? 'It has used the sessions it was given. `resume` gives it as many again.'
        : 'The session that was asked for is over. `resume` goes on with what is left.';
    }
    return `${tellUnclaimed(claim)} \`resume\` gives blocked features new attempts.`;
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
