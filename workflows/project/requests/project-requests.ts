import type { FailureType } from '../../../domain/failure-types.ts';
import type { AnsweredRequest, Answerer, AnswerSignal, RequestDeadline } from '../../../domain/permissions/request.ts';
import type { RevertRequest, RevertResult, SessionRequest, SessionStarted } from '../../../domain/project/messages.ts';
import { failure } from '../../failures.ts';
import { Pending } from './pending.ts';

/** What people request of a project and answer to it, until the project's loop deals with it. */
export class ProjectRequests {
  readonly reverts: Pending<RevertRequest, RevertResult>[] = [];
  readonly sessions: Pending<SessionRequest, SessionStarted>[] = [];
  /** Answers of people and deadlines, to be stored; the first one that is stored counts. */
  readonly answers: (AnswerSignal & { by: Answerer })[] = [];
  /** The request whose deadline comes next. */
  deadline: RequestDeadline | null = null;
  /** Which one that is has to be read again. */
  deadlineIsDue = false;

  /** The ids of what was answered, maybe before its session was known to ask. */
  #answered = new Set<string>();
  /** Why no more requests are accepted. */
  #closed: string | undefined;

  addRevert(request: RevertRequest, id: string): Pending<RevertRequest, RevertResult> {
    return this.#enqueue(this.reverts, new Pending<RevertRequest, RevertResult>(request, id));
  }

  revertAnswered(): void {
    this.reverts.shift();
  }

  addSession(request: SessionRequest, id: string): Pending<SessionRequest, SessionStarted> {
    return this.#enqueue(this.sessions, new Pending<SessionRequest, SessionStarted>(request, id));
  }

  takeSession(): Pending<SessionRequest, SessionStarted> | undefined {
    return this.sessions.shift();
  }

  refuseSessions(type: FailureType, why: string): void {
    for (const pending of this.sessions.splice(0)) pending.reject(failure(type, why));
  }

  addAnswer(answer: AnswerSignal & { by: Answerer }): void {
    this.answers.push(answer);
  }

  /** The oldest answer was stored; `null` if what it answers does not exist. */
  answerStored(request: AnsweredRequest | null): void {
    const stored = this.answers.shift();
    if (this.deadline && stored?.id === this.deadline.id) this.deadlineIsDue = true;
    if (request?.answer) this.#answered.add(request.id);
  }

  isAnswered(id: string): boolean {
    return this.#answered.has(id);
  }

  /** A request was opened, or may have been. */
  deadlineChanged(): void {
    this.deadlineIsDue = true;
  }

  deadlineRead(deadline: RequestDeadline | null): void {
    this.deadline = deadline;
    this.deadlineIsDue = false;
  }

  /** Nobody answered in time: the default answer counts. */
  deadlinePassed(): void {
    if (!this.deadline) return;
    const { id, answer } = this.deadline;
    this.deadline = null;
    this.deadlineIsDue = true;
    this.addAnswer({ id, answer, by: 'deadline' });
  }

  /** Refuses open and later requests. */
  close(why: string): void {
    this.#closed = why;
    this.refuseSessions('InvalidInput', why);
    for (const pending of this.reverts.splice(0)) pending.reject(failure('InvalidInput', why));
  }

  #enqueue<Request, Answer>(queue: Pending<Request, Answer>[], pending: Pending<Request, Answer>) {
    if (this.#closed !== undefined) throw failure('InvalidInput', this.#closed);
    queue.push(pending);
    return pending;
  }
}
