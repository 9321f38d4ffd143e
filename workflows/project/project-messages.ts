import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  currentUpdateInfo,
  patched,
  setHandler,
  uuid4,
} from '@temporalio/workflow';
import type {
  BudgetRequest,
  CarriedState,
  Hold,
  PauseRequest,
  ProjectView,
  RevertRequest,
  RevertResult,
  SessionRequest,
  SessionStarted,
  SteerRequest,
} from '../../domain/project/messages.ts';
import { isSameBudgets } from '../../domain/project/same-budgets.ts';
import type { Budgets } from '../../domain/project/settings.ts';
import { database, git } from '../activities.ts';
import { failure } from '../failures.ts';
import {
  abandonSignal,
  pauseSignal,
  resumeSignal,
  revertUpdate,
  runSessionUpdate,
  setBudgetUpdate,
  statusQuery,
  steerUpdate,
} from './messages.ts';

/** A message that the project's loop answers when it gets to it. */
export interface Pending<Request, Answer> {
  /** The update's id, which stays the same if a reset has the update done again. */
  id: string;
  request: Request;
  answered: boolean;
  answer?: Answer;
  failure?: Error;
}

/** What people and programs told a project, and what it still has to do about it. Handlers only take note; the project's loop acts. */
export interface ProjectMessages {
  hold: Hold | null;
  /** The reason, once somebody abandoned the project. */
  abandoned: string | undefined;
  /** How often it was told to resume. */
  resumes: number;
  /** How often budgets were set. */
  budgetsSet: number;
  /** The project is about to end; a resume from now on begins it anew. */
  ending: boolean;
  resumedAfterEnd: boolean;
  /** Sessions that may still be started; null means no limit. */
  sessionsLeft: number | null;
  session: ProjectView['session'];
  view: Pick<ProjectView, 'status' | 'reason'>;
  /** The latest pause, as requested. */
  pauseRequest: PauseRequest;
  /** Set while a child runs: forwards a pause to it, or with null a resume. */
  forward: ((request: PauseRequest | null) => void) | undefined;
  /** Set while there is work that can be stopped. */
  stopWork: (() => void) | undefined;
  /** Called when a pause or resume arrives, to show it. */
  onHoldChange: (() => Promise<void>) | undefined;
  /** Whether what is in flight has to end: for an abandon or a revert. */
  mustStop(): boolean;
  hasWork(): boolean;
  takeRevert(): Pending<RevertRequest, RevertResult> | undefined;
  takeSessionRequest(): Pending<SessionRequest, SessionStarted> | undefined;
  answer<Request, Answer>(pending: Pending<Request, Answer>, work: () => Promise<Answer>): Promise<void>;
  /** Refuses the sessions that were asked for before the project was told to rest: nothing new is to start then. */
  refuseSessions(why: string): void;
  refuseOpenRequests(reason: string): void;
}

/** Registers a project's signals, updates and query. */
export function createProjectMessages(
  projectId: string,
  carried: CarriedState | undefined,
  sessions: () => number,
): ProjectMessages {
  const reverts: Array<Pending<RevertRequest, RevertResult>> = [];
  const sessionRequests: Array<Pending<SessionRequest, SessionStarted>> = [];
  let closed: string | undefined;
  const messages: ProjectMessages = {
    hold: null,
    abandoned: undefined,
    resumes: 0,
    budgetsSet: 0,
    ending: false,
    resumedAfterEnd: false,
    sessionsLeft: carried?.sessionsLeft ?? null,
    session: undefined,
    view: { status: 'INITIALIZING' },
    pauseRequest: {},
    forward: undefined,
    stopWork: undefined,
    onHoldChange: undefined,
    mustStop: () => messages.abandoned !== undefined || reverts.length > 0,
    hasWork: () => messages.mustStop() || sessionRequests.length > 0,
    takeRevert: () => reverts.shift(),
    takeSessionRequest: () => sessionRequests.shift(),
    async answer(pending, work) {
      try {
        pending.answer = await work();
      } catch (error) {
        pending.failure = error instanceof Error ? error : new Error(String(error));
      }
      pending.answered = true;
    },
    refuseSessions(why) {
      // In older histories they ran all the same.
      if (sessionRequests.length > 0 && patched('refuses-sessions-at-rest')) refuse(sessionRequests, why);
    },
    refuseOpenRequests(reason) {
      closed = reason;
      refuse(reverts, reason);
      refuse(sessionRequests, reason);
    },
  };

  function refuse(queue: Array<Pending<unknown, unknown>>, reason: string): void {
    for (const pending of queue.splice(0)) {
      pending.failure = failure('InvalidInput', reason);
      pending.answered = true;
    }
  }

  async function enqueue<Request, Answer>(queue: Array<Pending<Request, Answer>>, request: Request): Promise<Answer> {
    if (closed !== undefined) throw failure('InvalidInput', closed);
    const pending: Pending<Request, Answer> = { id: currentUpdateInfo()?.id ?? '', request, answered: false };
    queue.push(pending);
    if (messages.mustStop()) messages.stopWork?.();
    await condition(() => pending.answered);
    if (pending.failure) throw pending.failure;
    return pending.answer as Answer;
  }

  /** Work continues only once the database says that the project is no longer paused: earlier, it would find itself paused there. */
  async function endHold(): Promise<void> {
    messages.hold = null;
    const whenShown = patched('resumes-when-shown');
    if (!whenShown) messages.forward?.(null);
    await messages.onHoldChange?.();
    if (whenShown && !messages.hold) messages.forward?.(null);
  }

  /** The budgets as a message last set them. */
  let budgets: Budgets | undefined;

  setHandler(pauseSignal, async (request) => {
    const isOld = budgets !== undefined && request?.budgets !== undefined && !isSameBudgets(budgets, request.budgets);
    if (isOld && messages.forward) {
      // Whether the new ones are enough is checked before the next call.
      if (!messages.hold) messages.forward(null);
      return;
    }
    const { reason = 'A person paused it.', budget, waiting } = request ?? {};
    messages.hold = { kind: waiting ? 'waiting' : 'paused', reason, ...(budget && { budget }) };
    messages.pauseRequest = request ?? {};
    if (!waiting && !budget)
      messages.refuseSessions(`The project was paused before the session had begun: ${reason} Ask again to run it.`);
    messages.forward?.(messages.pauseRequest);
    await messages.onHoldChange?.();
  });
  setHandler(resumeSignal, async () => {
    messages.resumes += 1;
    messages.resumedAfterEnd = messages.ending || messages.abandoned !== undefined;
    await endHold();
  });
  setHandler(abandonSignal, (request) => {
    messages.abandoned = request?.reason ?? 'A person abandoned it.';
    messages.resumedAfterEnd = false;
    messages.stopWork?.();
  });
  setHandler(
    revertUpdate,
    async (request) => {
      // A revert must be refused, if at all, before anything is stopped for it.
      await git.checkRevert({ projectId, request });
      return enqueue(reverts, request);
    },
    { validator: validateRevert },
  );
  setHandler(runSessionUpdate, (request) => enqueue(sessionRequests, request ?? {}), {
    validator: (request?: SessionRequest) => {
      validateSession(request);
      refuseBeside(messages);
    },
  });
  setHandler(
    setBudgetUpdate,
    async (request) => {
      const latest = await database.setBudget({ projectId, ...request });
      budgets = latest;
      messages.budgetsSet += 1;
      if (messages.hold?.budget) {
        // Whether it is enough is checked before the next call.
        await endHold();
      }
      return latest;
    },
    { validator: validateBudget },
  );
  setHandler(
    steerUpdate,
    async ({ message, run, id = uuid4() }) => ({
      id,
      ...(await database.keepMessage({ projectId, id, message, ...(run && { run }) })),
    }),
    { validator: validateSteer },
  );
  setHandler(statusQuery, () => ({
    ...messages.view,
    ...(messages.session && { session: messages.session }),
    sessions: sessions(),
  }));
  return messages;
}

/** Resolves once every message being handled has been noted or answered, so that the project may end. */
export function settled(messages: ProjectMessages): Promise<void> {
  return condition(() => allHandlersFinished() || messages.hasWork());
}

function validateRevert(request: RevertRequest): void {
  if (typeof request?.checkpoint === 'string' && request.checkpoint.trim()) return;
  throw ApplicationFailure.nonRetryable(
    `Expected { "checkpoint": "<id or commit>" }, got ${JSON.stringify(request)?.slice(0, 200)}. \`longhaul checkpoints\` lists them.`,
    'InvalidInput',
  );
}

function validateBudget(request: BudgetRequest): void {
  const { scope = 'project', limits } = request ?? {};
  const names = Object.keys(limits ?? {});
  const known = names.every((name) => ['usd', 'tokens', 'turns', 'minutes'].includes(name));
  const amounts = Object.values(limits ?? {}).every((limit) => limit === null || (Number.isFinite(limit) && limit > 0));
  if (['project', 'session', 'run'].includes(scope) && names.length > 0 && known && amounts) return;
  throw ApplicationFailure.nonRetryable(
    `Expected { "scope": "project", "limits": { "usd": 20 } } with usd, tokens, turns or minutes above 0 (null for no limit) and the scope project, session or run, got ${JSON.stringify(request)?.slice(0, 200)}.`,
    'InvalidInput',
  );
}

function validateSteer(request: SteerRequest): void {
  const { message, run = '', id = '' } = request ?? {};
  if (typeof message === 'string' && typeof run === 'string' && typeof id === 'string') return;
  throw ApplicationFailure.nonRetryable(
    `Expected { "message": "<text>" }, with "run": "<run>" for one of several, got ${JSON.stringify(request)?.slice(0, 200)}.`,
    'InvalidInput',
  );
}

/** A session that rests in the middle of its work is gone on with first: another would wait for it without end. */
function refuseBeside({ session, hold }: Pick<ProjectMessages, 'session' | 'hold'>): void {
  if (!session || !hold) return;
  throw ApplicationFailure.nonRetryable(
    `The session on "${session.feature}" rests in the middle of its work: ${hold.reason} \`longhaul resume\` goes on with it.`,
    'InvalidInput',
  );
}

function validateSession(request?: SessionRequest): void {
  if (request?.feature === undefined || typeof request.feature === 'string') return;
  throw ApplicationFailure.nonRetryable(
    `Expected { "feature": "<name>" } or nothing, got ${JSON.stringify(request)?.slice(0, 200)}.`,
    'InvalidInput',
  );
}
