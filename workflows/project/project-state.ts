import type { ApplicationFailure } from '@temporalio/workflow';
import type { OpenedProject } from '../../activities/project/project.ts';
import type { FailureType } from '../../domain/failure-types.ts';
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
import { failure, shorten } from '../failures.ts';
import { Pending } from './pending.ts';
import { answerOf, type ProjectEnd, type View, viewOf } from './project-view.ts';
import { describeUnfinishedRevert, findRevertRefusal } from './revert-failure.ts';
import { type Child, type Session, whyUnclaimed, whyWait } from './session.ts';

/** Sessions side by side, those whose work waits to land included. */
const maxParallel = 1;

/** The whole state of a project's workflow. Only its own verbs assign to it; `nextStep` says what follows from it. */
export class ProjectState {
  readonly projectId: string;

  /** Why nothing new starts. */
  hold: Hold | null = null;
  /** The latest pause, as sessions have to hear of it. */
  pauseRequest: PauseRequest = {};
  /** Counts what sessions have to hear: pauses, and their ends. */
  holdChanges = 0;
  /** The hold that a session which was asked for interrupts; it holds again afterwards, unless something that comes meanwhile ends or replaces it. */
  interruptedHold: Hold | null = null;
  /** It rested for a person, and has not been given what a resume gives. */
  renewalDue = false;
  abandoned: string | undefined;

  /** How the project had ended before it was started again for a request, and the hold in which it rests until that is done. */
  ended: (ProjectEnd & { hold: Hold }) | undefined;
  /** How it is ending. */
  ending: ProjectEnd | undefined;
  /** A resume came when its end could no longer be stopped. */
  resumedAtEnd = false;
  /** What ended it that it could not go on without. */
  failure: { error: unknown } | undefined;

  reverts: Pending<RevertRequest, RevertResult>[] = [];
  /** The branch may not be where the features are: nothing is worked on until this is finished. */
  unfinishedRevert: Revert | undefined;
  sessionRequests: Pending<SessionRequest, SessionStarted>[] = [];

  planning: 'due' | 'running' | 'done' = 'due';
  /** The initializer at work. */
  planner: Child | undefined;
  sessions = new Map<string, Session>();
  /** Those whose verified commits land next, one at a time. */
  landingQueue: Session[] = [];
  /** Sessions that are none of this workflow's children. */
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
  /** As a message last set them. */
  #budgets: Budgets | undefined;
  /** Why no more requests are accepted. */
  #closed: string | undefined;

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

  /** Whether the database says the same; while it says PAUSED, no model answers. */
  get isShown(): boolean {
    const { status, reason } = this.view;
    return !this.isShowing && this.#shown?.status === status && (status === 'ACTIVE' || this.#shown.reason === reason);
  }

  /** Whether what is in flight has to end, for an abandon or a revert. */
  get mustStop(): boolean {
    return this.abandoned !== undefined || this.reverts.length > 0;
  }

  /** Whether work may begin. */
  get mayWork(): boolean {
    return this.hold === null && this.isShown && !this.mustStop;
  }

  get isBusy(): boolean {
    return this.sessions.size > 0 || this.planning === 'running';
  }

  get hasFreeSlot(): boolean {
    return this.sessions.size < maxParallel;
  }

  /** Whether a session may begin that nobody asked for. */
  get mayStartSession(): boolean {
    return this.sessionsLeft !== 0 && this.interruptedHold === null;
  }

  /** A child that has not heard of a pause or resume yet; a resume it may hear only once the database says so. */
  get childToNotify(): Child | undefined {
    if (this.hold === null && !this.isShown) return undefined;
    const children = [...this.sessions.values(), ...(this.planner ? [this.planner] : [])];
    return children.find(({ isRunning, heardChanges }) => isRunning && heardChanges !== this.holdChanges);
  }

  /** What a project takes along when it continues as new, between two sessions. */
  get carried(): CarriedState {
    return { sessions: this.started, sessionsLeft: this.sessionsLeft };
  }

  opened(opened: OpenedProject, carried: CarriedState | undefined): void {
    const { status, reason, settings, sessions, left, unfinished, planned, proposed } = opened;
    this.#isOpen = true;
    this.#maxSessions = settings.maxSessions ?? null;
    this.#hasProposal = proposed;
    this.started = Math.max(this.started, sessions);
    this.leftSessions = left;
    this.planning = planned ? 'done' : 'due';
    this.unfinishedRevert = unfinished;
    this.#shown = { status, reason: reason ?? '' };
    if (!carried) this.#continueAs(status, reason);
    this.#refuseWhileUnfinished();
    if (!planned && this.hold) this.#refuseSessions('InvalidInput', noFeatures);
  }

  /** A project that rested when its earlier workflow closed rests on, unless this one was started by a resume. */
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
    const { reason = 'Paused by a person.', budget, waiting, now, budgets } = request;
    const isOutdated = this.#budgets !== undefined && budgets !== undefined && !isSameBudgets(this.#budgets, budgets);
    if (isOutdated) {
      // The budget was raised meanwhile; whether that is enough is checked before the next call.
      if (!this.hold) this.holdChanges += 1;
      return;
    }
    const kind = waiting ? 'waiting' : 'paused';
    this.#rest({ kind, reason, ...(budget && { budget }), ...(now && { now }) }, request);
    if (!waiting && !budget) {
      const refusal = `The project was paused before the session started: ${reason} Request the session again.`;
      this.#refuseSessions('InvalidInput', refusal);
    }
  }

  resume(): void {
    this.resumedAtEnd = this.ending !== undefined || this.abandoned !== undefined;
    if (!this.#isOpen) this.renewalDue = true;
    this.#release();
  }

  abandon(reason = 'Abandoned by a person.'): void {
    this.abandoned ??= reason;
    this.resumedAtEnd = false;
  }

  /** Has the project wait for a person, or until something is available again. */
  wait(reason: string): void {
    this.#rest({ kind: 'waiting', reason: shorten(reason) });
  }

  /** Returns whether work goes on; whether the new budgets are enough is checked before the next call. */
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
    if (hold.kind === 'waiting' && this.sessions.size === 0) this.renewalDue = true;
  }

  #release(): void {
    this.hold = null;
    this.interruptedHold = null;
    this.holdChanges += 1;
    this.#shown = undefined; // stored again, whatever the database says
  }

  renewed(): void {
    this.renewalDue = false;
    this.sessionsLeft = this.#maxSessions;
  }

  requestRevert(request: RevertRequest, id: string): Pending<RevertRequest, RevertResult> {
    return this.#enqueue(this.reverts, new Pending<RevertRequest, RevertResult>(request, id));
  }

  reverted(result: RevertResult, wasDone = false): void {
    this.unfinishedRevert = undefined;
    this.everythingPasses = false;
    // A reset does it again after whatever came since, a resume included.
    if (wasDone) return;
    this.#rest({ kind: 'paused', reason: `Reverted to ${result.checkpoint}. \`resume\` continues from there.` });
    const refusal = `The project was reverted to ${result.checkpoint} before the session started. Request the session again.`;
    this.#refuseSessions('InvalidInput', refusal);
  }

  /** Has the project rest, so that nothing is worked on where branch and features differ; returns what to answer to the person who asked for the revert. */
  revertFailed(revert: Revert, type: string | undefined, why: string): ApplicationFailure {
    const refusal = findRevertRefusal(type);
    if (!refusal) this.unfinishedRevert = revert;
    const first = refusal ? `The revert to ${revert.request.checkpoint} was refused and changed nothing. ` : '';
    const { unfinishedRevert } = this;
    const next = unfinishedRevert ? describeUnfinishedRevert(unfinishedRevert) : '`resume` continues without it.';
    const reason = shorten(`${first}${next} ${why}`);
    if (unfinishedRevert || !this.hold) this.wait(reason);
    this.#refuseWhileUnfinished();
    return failure(refusal ?? 'RevertUnfinished', reason);
  }

  revertAnswered(): void {
    this.reverts.shift();
  }

  requestSession(request: SessionRequest, id: string): Pending<SessionRequest, SessionStarted> {
    const pending = new Pending<SessionRequest, SessionStarted>(request, id);
    this.#enqueue(this.sessionRequests, pending);
    this.#refuseWhileUnfinished();
    return pending;
  }

  /** Why no session can be asked for now. */
  whyNoSession(): string | undefined {
    if (!this.hold || !this.#isOpen) return undefined;
    if (this.planning !== 'done') return noFeatures;
    const resting = [...this.sessions.values()].find(({ claim }) => claim);
    if (!resting) return undefined;
    return `The session on "${resting.claim?.feature}" is paused during its work: ${this.hold.reason} \`longhaul resume\` continues it.`;
  }

  #enqueue<Request, Answer>(queue: Pending<Request, Answer>[], pending: Pending<Request, Answer>) {
    if (this.#closed !== undefined) throw failure('InvalidInput', this.#closed);
    queue.push(pending);
    if (this.ending?.status === 'COMPLETED') this.ending = undefined;
    return pending;
  }

  #refuseWhileUnfinished(): void {
    if (!this.unfinishedRevert) return;
    this.#refuseSessions('RevertUnfinished', describeUnfinishedRevert(this.unfinishedRevert));
  }

  #refuseSessions(type: FailureType, why: string): void {
    for (const pending of this.sessionRequests.splice(0)) pending.reject(failure(type, why));
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

  /** Begins the session of the oldest request, or one that nobody asked for. */
  sessionOpened({ requested }: { requested: boolean }): Session {
    this.started += 1;
    const session: Session = {
      id: `${this.projectId}-s${this.started}`,
      number: this.started,
      phase: 'claiming',
      askedIn: this.hold,
      isRunning: false,
      heardChanges: 0,
      request: requested ? this.sessionRequests.shift() : undefined,
    };
    this.sessions.set(session.id, session);
    return session;
  }

  sessionClaimed(session: Session, { feature, category, attempt }: ClaimedFeature): void {
    session.phase = 'working';
    session.claim = { feature, category, attempt };
    this.ended = undefined;
    this.everythingPasses = false;
    if (!session.request) {
      // Not below zero, which after a reset the sessions that are there already would make it.
      if (this.sessionsLeft !== null) this.sessionsLeft = Math.max(0, this.sessionsLeft - 1);
      return;
    }
    session.request.resolve({ sessionId: session.id, feature, attempt });
    if (!this.hold || this.hold !== session.askedIn) return;
    const { hold } = this;
    this.#release();
    this.interruptedHold = hold; // this one session runs although the project rests
  }

  sessionNotClaimed(session: Session, claim: Exclude<Claim, { kind: 'feature' }>): void {
    this.sessions.delete(session.id);
    this.started -= 1;
    if (session.request) {
      session.request.reject(failure('InvalidInput', whyUnclaimed(claim)));
    } else if (claim.kind === 'all-passing') {
      this.everythingPasses = true;
    } else if (this.sessions.size > 0) {
      this.nothingReady = true;
    } else {
      this.wait(whyWait(claim, this.sessionsLeft));
    }
  }

  get isLanding(): boolean {
    return [...this.sessions.values()].some(({ phase }) => phase === 'landing');
  }

  landingStarted(session: Session): void {
    session.phase = 'landing';
    this.landingQueue = this.landingQueue.filter((one) => one !== session);
  }

  sessionEnded(session: Session, outcome: SessionOutcome): void {
    session.isRunning = false;
    if (outcome.kind === 'verified') {
      session.phase = 'verified';
      session.verified = { commit: outcome.commit, reason: outcome.reason };
      this.landingQueue.push(session);
      return;
    }
    this.sessions.delete(session.id);
    this.landingQueue = this.landingQueue.filter((one) => one !== session);
    this.nothingReady = false;
    const cannotGoOn = outcome.kind === 'interrupted' && outcome.unavailable;
    if (cannotGoOn && !this.hold) {
      this.wait(`The session on "${session.claim?.feature}" could not continue: ${outcome.reason}`);
    } else if (this.sessions.size === 0 && this.interruptedHold?.kind === 'paused') {
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

  /** The database says something else than what was stored last: it is stored again. */
  shownOtherwise(): void {
    this.#shown = undefined;
  }

  failed(error: unknown): void {
    this.failure ??= { error };
  }

  end({ status, reason }: ProjectEnd): void {
    this.ending = { status, reason };
  }

  /** Refuses what was asked for and not answered, and what comes from now on. */
  close(why: string): void {
    this.#closed = why;
    this.#refuseSessions('InvalidInput', why);
    for (const pending of this.reverts.splice(0)) pending.reject(failure('InvalidInput', why));
  }
}

const noFeatures = 'The project has no features yet. `longhaul resume` plans them.';
