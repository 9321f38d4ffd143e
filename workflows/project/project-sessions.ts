import type { AskedLanding } from '../../activities/session/permit-landing.ts';
import type { AskingSession, VerifiedWork } from '../../domain/project/messages.ts';
import type { Session } from './session.ts';

/** Parallel sessions, including those whose work waits to land. */
const maxParallel = 1;

/** The sessions of a project, from their start until their work has landed or is given up. */
export class ProjectSessions {
  /** Those whose verified commits land next, one at a time. */
  landingQueue: Session[] = [];
  #byId = new Map<string, Session>();

  get all(): Session[] {
    return [...this.#byId.values()];
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** All but those that wait for an answer. */
  get active(): Session[] {
    return this.all.filter(({ phase }) => phase !== 'asking');
  }

  get hasFreeSlot(): boolean {
    return this.active.length < maxParallel;
  }

  get isLanding(): boolean {
    return this.all.some(({ phase }) => phase === 'landing');
  }

  /** Those with verified work, as they are carried over. */
  get asking(): AskingSession[] {
    return this.all.flatMap(({ id, number, claim, verified }) =>
      claim && verified ? [{ id, number, claim, verified }] : [],
    );
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  add(session: Session): void {
    this.#byId.set(session.id, session);
  }

  /** Adds a session that was carried over. Its request is found again when it is about to land. */
  restore(asking: AskingSession, heardChanges: number): void {
    const session: Session = { ...asking, phase: 'verified', askedIn: null, isRunning: false, heardChanges };
    this.add(session);
    this.landingQueue.push(session);
  }

  remove(session: Session): void {
    this.#byId.delete(session.id);
    this.#leaveQueue(session);
  }

  verified(session: Session, work: VerifiedWork): void {
    session.verified = work;
    this.#queue(session);
  }

  landingStarted(session: Session): void {
    session.phase = 'landing';
    this.#leaveQueue(session);
  }

  /** A person is asked whether its work may land, unless the answer came first. */
  landingAsked(session: Session, asked: AskedLanding, isAnswered: boolean): void {
    session.asked = asked;
    if (isAnswered) this.#queue(session);
    else session.phase = 'asking';
  }

  /** The session that waits for the answer to this request is about to land again. */
  landingAnswered(request: string): void {
    const session = this.all.find(({ asked, phase }) => phase === 'asking' && asked?.request === request);
    if (session) this.#queue(session);
  }

  #queue(session: Session): void {
    session.phase = 'verified';
    this.landingQueue.push(session);
  }

  #leaveQueue(session: Session): void {
    this.landingQueue = this.landingQueue.filter((one) => one !== session);
  }
}
