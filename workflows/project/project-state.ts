import type { ApplicationFailure } from '@temporalio/workflow';
import type { OpenedProject } from '../../activities/project/project.ts';
import type { AskedLanding } from '../../activities/session/permit-landing.ts';
import type { AnsweredRequest } from '../../domain/permissions/request.ts';
import { isSameBudgets } from '../../domain/project/budgets.ts';
import type {
  CarriedState,
  Claim,
  ClaimedFeature,
  Hold,
  PauseRequest,
  ProjectView,
  Revert,
  RevertRequest,
  RevertResult,
  SessionOutcome,
  SessionRequest,
  SessionStarted,
} from '../../domain/project/messages.ts';
import type { Budgets } from '../../domain/project/settings.ts';
import type { ProjectStatus } from '../../domain/project/statuses.ts';
import { failure, short } from '../failures.ts';
import { ProjectSessions } from './project-sessions.ts';
import { answerOf, type ProjectEnd, type View, viewOf } from './project-view.ts';
import type { Pending } from './requests/pending.ts';
import { ProjectRequests } from './requests/project-requests.ts';
import { describeUnfinishedRevert, findRevertRefusal } from './revert-failure.ts';
import { type Child, type Session, whyUnclaimed, whyWait } from './session.ts';

/** The whole state of a project's workflow. Only its verbs and those of its parts assign to it; `nextStep` derives the next step from it. */
export class ProjectState {
  readonly projectId: string;

  /** Why nothing new starts. */
  hold: Hold | null = null;
  /** The latest pause, as forwarded to sessions. */
  pauseRequest: PauseRequest = {};
  /** Counts what is forwarded to sessions: pauses, and their ends. */
  holdChanges = 0;
  /** The hold that a requested session interrupts. It holds again afterwards, unless something ends or replaces it meanwhile. */
  interruptedHold: Hold | null = null;
  /** The project waited for a person, and the renewal of a resume is still due. */
  renewalDue = false;
  abandoned: string | undefined;

  /** How the project ended before a request started it again, and its hold until the request is done. */
  ended: (ProjectEnd & { hold: Hold }) | undefined;
  /** How it is ending. */
  ending: ProjectEnd | undefined;
  /** A resume came when its end could no longer be stopped. */
  resumedAtEnd = false;
  /** The missing requirement that ended the project. */
  failure: { error: unknown } | undefined;

  readonly requests = new ProjectRequests();
  /** Branch and features may not match: nothing is worked on until the revert is complete. */
  unfinishedRevert: Revert | undefined;

  planning: 'due' | 'running' | 'done' = 'due';
  /** The running initializer. */
  planner: Child | undefined;
  readonly sessions = new ProjectSessions();
  /** Sessions that are no children of this workflow. */
  leftSessions: string[] = [];
  /** The number of the latest session. */
  started: number;
  /** Sessions that may still be started; null means no limit. */
  sessionsLeft: number | null;
  everythingPasses = false;
  /** No feature can be worked on until a session ends. */
  nothingReady = false;

  isShowing = false;
  #shown: View | undefined;
  #maxSessions: number | null = null;
  #isOpen = false;
  #hasProposal = false;
  /** As the latest message set them. */
  #budgets: Budgets | undefined;

  constructor(projectId: string, carried?: CarriedState) {
    this.projectId = projectId;
    this.started = carried?.sessions ?? 0;
    this.sessionsLeft = carried?.sessionsLeft ?? null;
  }

  /** What a person sees of it. */
  get view(): View {
    return viewOf(this, this.#hasProposal);
  }

  /** What the `status` query answers. */
  get answer(): ProjectView {
    return answerOf(this, this.view);
  }

  /** Whether the database has the same status; while it says PAUSED, no model answers. */
  get isShown(): boolean {
    const { status, reason } = this.view;
    return !this.isShowing && this.#shown?.status === status && (status === 'ACTIVE' || this.#shown.reason === reason);
  }

  /** Whether running work must end, for an abandon or a revert. */
  get mustStop(): boolean {
    return this.abandoned !== undefined || this.requests.reverts.length > 0;
  }

  /** Whether work may begin. */
  get mayWork(): boolean {
    return this.hold === null && this.isShown && !this.mustStop;
  }

  get isBusy(): boolean {
    return !this.sessions.isEmpty || this.planning === 'running';
  }

  /** Whether anything is in progress that cannot be carried over: all but what waits for an answer. */
  get isWorking(): boolean {
    return this.planning === 'running' || this.sessions.active.length > 0;
  }

  /** Whether nothing but a person's answer lets it go on. */
  get onlyAsks(): boolean {
    return this.nothingReady && !this.sessions.isEmpty && this.sessions.active.length === 0;
  }

  /** Whether a session may start without a request. */
  get mayStartSession(): boolean {
    return this.sessionsLeft !== 0 && this.interruptedHold === null;
  }

  /** A child to which a pause or resume must still be forwarded; a resume only after it is in the database. */
  get childToNotify(): Child | undefined {
    if (this.hold === null && !this.isShown) return undefined;
    const children = [...this.sessions.all, ...(this.planner ? [this.planner] : [])];
    return children.find(({ isRunning, heardChanges }) => isRunning && heardChanges !== this.holdChanges);
  }

  /** What a project keeps when it continues as new, between two sessions. */
  get carried(): CarriedState {
    const { asking } = this.sessions;
    return { sessions: this.started, sessionsLeft: this.sessionsLeft, ...(asking.length && { asking }) };
  }

  opened(opened: OpenedProject, carried: CarriedState | undefined): void {
    const { status, reason, settings, sessions, left, unfinished, planned, proposed, deadline } = opened;
    this.#isOpen = true;
    this.#maxSessions = settings.maxSessions ?? null;
    this.#hasProposal = proposed;
    this.requests.deadlineRead(deadline ?? null);
    this.started = Math.max(this.started, sessions);
    for (const session of carried?.asking ?? []) this.sessions.restore(session, this.holdChanges);
    this.leftSessions = left.filter((id) => !this.sessions.has(id));
    this.planning = planned ? 'done' : 'due';
    this.unfinishedRevert = unfinished;
    this.#shown = { status, reason: reason ?? '' };
    if (!carried) this.#continueAs(status, reason);
    this.#refuseWhileUnfinished();
    if (!planned && this.hold) this.requests.refuseSessions('InvalidInput', noFeatures);
  }

  /** A project that was waiting when its earlier workflow closed keeps waiting, unless a resume started this one. */
  #continueAs(status: ProjectStatus, reason: string | null): void {
    this.sessionsLeft = this.#maxSessions;
    const rests = status === 'PAUSED' || status === 'WAITING' || status === 'ABANDONED' || status === 'FAILED';
    if (rests && !this.hold && !this.renewalDue) {
      const kind = status === 'WAITING' ? 'waiting' : 'paused';
      this.#rest({ kind, reason: `The project was ${status}. \`resume\` continues.` });
    }
    if (this.hold && (status === 'ABANDONED' || status === 'FAILED'))
      this.ended = { status, reason: reason ?? this.hold.reason, hold: this.hold };
  }

  pause(request: PauseRequest = {}): void {
    const { reason = 'Paused by a person.', budget, waiting, now, budgets, request: asked } = request;
    const isRaised = this.#budgets !== undefined && budgets !== undefined && !isSameBudgets(this.#budgets, budgets);
    if (isRaised || (asked !== undefined && this.requests.isAnswered(asked))) {
      // The budget was raised, or the request answered, meanwhile; the next call checks whether that is enough.
      if (!this.hold) this.holdChanges += 1;
      return;
    }
    if (asked !== undefined) this.requests.deadlineChanged();
    const kind = waiting ? 'waiting' : 'paused';
    this.#rest({ kind, reason, ...(budget && { budget }), ...(now && { now }) }, request);
    if (!waiting && !budget) {
      const refusal = `The project was paused before the session started: ${reason} Request the session again.`;
      this.requests.refuseSessions('InvalidInput', refusal);
    }
  }

  resume(): void {
    this.resumedAtEnd = this.ending !== undefined || this.abandoned !== undefined;
    if (!this.#isOpen || this.onlyAsks) this.renewalDue = true;
    this.nothingReady = false;
    this.#release();
  }

  abandon(reason = 'Abandoned by a person.'): void {
    this.abandoned ??= reason;
    this.resumedAtEnd = false;
  }

  /** Lets the project wait for a person, or until something is available again. */
  wait(reason: string): void {
    this.#rest({ kind: 'waiting', reason: short(reason) });
  }

  /** Returns whether work continues; the next call checks whether the new budgets are enough. */
  budgetsSet(budgets: Budgets): boolean {
    this.#budgets = budgets;
    if (this.interruptedHold?.budget) this.interruptedHold = null;
    if (!this.hold?.budget) return false;
    this.#release();
    return true;
  }

  #rest(
    hold: Hold,
    request: PauseRequest = { reason: hold.reason, ...(hold.kind === 'waiting' && { waiting: true }) },
  ) {
    this.hold = hold;
    this.pauseRequest = request;
    this.interruptedHold = null;
    this.holdChanges += 1;
    if (hold.kind === 'waiting' && this.sessions.isEmpty) this.renewalDue = true;
  }

  #release(): void {
    this.hold = null;
    this.interruptedHold = null;
    this.holdChanges += 1;
    this.#shown = undefined; // store it again, whatever the database has
  }

  renewed(): void {
    this.renewalDue = false;
    this.sessionsLeft = this.#maxSessions;
  }

  requestRevert(request: RevertRequest, id: string): Pending<RevertRequest, RevertResult> {
    const pending = this.requests.addRevert(request, id);
    this.#continueAfterRequest();
    return pending;
  }

  reverted(result: RevertResult, wasDone = false): void {
    this.unfinishedRevert = undefined;
    this.everythingPasses = false;
    // A reset repeats it after everything that came since, including a resume.
    if (wasDone) return;
    this.#rest({ kind: 'paused', reason: `Reverted to ${result.checkpoint}. \`resume\` continues from there.` });
    const refusal = `The project was reverted to ${result.checkpoint} before the session started. Request the session again.`;
    this.requests.refuseSessions('InvalidInput', refusal);
  }

  /** Stops work while branch and features differ; returns the answer to the person who requested the revert. */
  revertFailed(revert: Revert, type: string | undefined, why: string): ApplicationFailure {
    const refusal = findRevertRefusal(type);
    if (!refusal) this.unfinishedRevert = revert;
    const first = refusal ? `The revert to ${revert.request.checkpoint} was refused and changed nothing. ` : '';
    const { unfinishedRevert } = this;
    const next = unfinishedRevert ? describeUnfinishedRevert(unfinishedRevert) : '`resume` continues without it.';
    const reason = short(`${first}${next} ${why}`);
    if (unfinishedRevert || !this.hold) this.wait(reason);
    this.#refuseWhileUnfinished();
    return failure(refusal ?? 'RevertUnfinished', reason);
  }

  requestSession(request: SessionRequest, id: string): Pending<SessionRequest, SessionStarted> {
    const pending = this.requests.addSession(request, id);
    this.#continueAfterRequest();
    this.#refuseWhileUnfinished();
    return pending;
  }

  /** Why no session can be requested now. */
  whyNoSession(): string | undefined {
    if (!this.hold || !this.#isOpen) return undefined;
    if (this.planning !== 'done') return noFeatures;
    const resting = this.sessions.active.find(({ claim }) => claim);
    if (!resting) return undefined;
    return `The session on "${resting.claim?.feature}" is paused during its work: ${this.hold.reason} \`longhaul resume\` continues it.`;
  }

  /** A request keeps a complete project from ending. */
  #continueAfterRequest(): void {
    if (this.ending?.status === 'COMPLETED') this.ending = undefined;
  }

  #refuseWhileUnfinished(): void {
    if (!this.unfinishedRevert) return;
    this.requests.refuseSessions('RevertUnfinished', describeUnfinishedRevert(this.unfinishedRevert));
  }

  planningStarted(id: string): Child {
    this.planning = 'running';
    this.planner = { id, isRunning: false, heardChanges: 0 };
    return this.planner;
  }

  planningEnded({ planned }: { planned: boolean }): void {
    this.planning = planned ? 'done' : 'due';
    this.planner = undefined;
  }

  leftSessionsStopped(): void {
    this.leftSessions = [];
  }

  /** Returns whether the child has to start paused. */
  childStarting(child: Child): boolean {
    child.heardChanges = this.holdChanges;
    return this.hold !== null;
  }

  childStarted(child: Child): void {
    child.isRunning = true;
  }

  childNotified(child: Child): void {
    child.heardChanges = this.holdChanges;
  }

  /** Starts the session of the oldest request, or one without a request. */
  sessionOpened({ requested }: { requested: boolean }): Session {
    this.started += 1;
    const session: Session = {
      id: `${this.projectId}-s${this.started}`,
      number: this.started,
      phase: 'claiming',
      askedIn: this.hold,
      isRunning: false,
      heardChanges: 0,
      request: requested ? this.requests.takeSession() : undefined,
    };
    this.sessions.add(session);
    return session;
  }

  sessionClaimed(session: Session, { feature, category, attempt }: ClaimedFeature): void {
    session.phase = 'working';
    session.claim = { feature, category, attempt };
    this.ended = undefined;
    this.everythingPasses = false;
    if (!session.request) {
      // Never below zero: after a reset, existing sessions count too.
      if (this.sessionsLeft !== null) this.sessionsLeft = Math.max(0, this.sessionsLeft - 1);
      return;
    }
    session.request.resolve({ sessionId: session.id, feature, attempt });
    if (!this.hold || this.hold !== session.askedIn) return;
    const { hold } = this;
    this.#release();
    this.interruptedHold = hold; // this one session runs although the project waits
  }

  sessionNotClaimed(session: Session, claim: Exclude<Claim, { kind: 'feature' }>): void {
    this.sessions.remove(session);
    this.started -= 1;
    if (session.request) {
      session.request.reject(failure('InvalidInput', whyUnclaimed(claim)));
    } else if (claim.kind === 'all-passing') {
      this.everythingPasses = true;
    } else if (!this.sessions.isEmpty) {
      this.nothingReady = true;
    } else {
      this.wait(whyWait(claim, this.sessionsLeft));
    }
  }

  landingAsked(session: Session, asked: AskedLanding): void {
    this.sessions.landingAsked(session, asked, this.requests.isAnswered(asked.request));
    if (session.phase === 'asking') this.requests.deadlineChanged();
  }

  /** What the answer was to is decided now: work lands or is refused, a feature is attempted again. */
  answered(request: AnsweredRequest | null): void {
    this.requests.answerStored(request);
    if (!request?.answer) return;
    if (request.kind === 'spending') {
      this.#spendingAnswered();
      return;
    }
    this.sessions.landingAnswered(request.id);
    if (request.kind === 'landing') return;
    this.nothingReady = false;
    if (this.hold?.kind !== 'waiting' || this.hold.budget || !this.sessions.isEmpty) return;
    // It waited for the feature; the others keep the attempts that they have left.
    this.renewalDue = false;
    this.#release();
  }

  /** The next call checks what the answer allows. */
  #spendingAnswered(): void {
    if (this.interruptedHold?.budget) this.interruptedHold = null;
    if (this.hold?.budget) this.#release();
  }

  sessionEnded(session: Session, outcome: SessionOutcome): void {
    session.isRunning = false;
    if (outcome.kind === 'verified') {
      this.sessions.verified(session, outcome);
      return;
    }
    this.sessions.remove(session);
    if (outcome.kind === 'failed' && outcome.needsPerson) this.requests.deadlineChanged();
    this.nothingReady = false;
    const cannotGoOn = outcome.kind === 'interrupted' && outcome.unavailable;
    if (cannotGoOn && !this.hold) {
      this.wait(`The session on "${session.claim?.feature}" could not continue: ${outcome.reason}`);
    } else if (this.sessions.isEmpty && this.interruptedHold?.kind === 'paused') {
      this.#rest(this.interruptedHold);
    }
  }

  showing(): void {
    this.isShowing = true;
  }

  shown(view: View): void {
    this.#shown = view;
  }

  showingEnded(): void {
    this.isShowing = false;
  }

  /** The database has another status than the one stored last: store it again. */
  shownOtherwise(): void {
    this.#shown = undefined;
  }

  failed(error: unknown): void {
    this.failure ??= { error };
  }

  end({ status, reason }: ProjectEnd): void {
    this.ending = { status, reason };
  }
}

const noFeatures = 'The project has no features yet. `longhaul resume` plans them.';
