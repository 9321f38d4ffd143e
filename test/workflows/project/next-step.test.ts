import { expect, test } from '@jest/globals';
import type { OpenedProject } from '../../../activities/project/project.ts';
import { nextStep } from '../../../workflows/project/next-step.ts';
import { ProjectState } from '../../../workflows/project/project-state.ts';
import type { Session } from '../../../workflows/project/session.ts';

const work = { feature: 'x', category: 'functional', attempt: 1 } as const;
const commit = { kind: 'verified', commit: 'c', reason: 'green' } as const;

/** A planned project that is ACTIVE, of which the database says so too. */
function opened(changes: Partial<OpenedProject> = {}): ProjectState {
  const state = new ProjectState('p');
  const settings = { maxAttempts: 3, network: 'none' as const, ...changes.settings };
  const rest = { reason: null, sessions: 0, left: [], planned: true, planning: 1, proposed: false, head: null };
  state.opened({ status: 'ACTIVE', ...rest, ...changes, settings }, undefined);
  return settle(state);
}

/** Stores what a person sees and tells the sessions, as the loop does before anything else. */
function settle(state: ProjectState): ProjectState {
  for (;;) {
    const step = nextStep(state);
    if (step.kind === 'show') state.shown(step.view);
    else if (step.kind === 'notify') state.childNotified(step.child);
    else if (step.kind === 'read-deadline') state.requests.deadlineRead(null);
    else return state;
  }
}

function begin(state: ProjectState, { requested = false } = {}): Session {
  const session = state.sessionOpened({ requested });
  state.sessionClaimed(session, work);
  state.childStarting(session);
  state.childStarted(session);
  settle(state);
  return session;
}

function verified(state: ProjectState): Session {
  const session = begin(state);
  state.sessionEnded(session, commit);
  return session;
}

const request = { request: 'r1', asked: 'Land it?' } as const;

/** A person is asked about the verified work of a session. */
function asking(state: ProjectState): ProjectState {
  const session = verified(state);
  state.sessions.landingStarted(session);
  state.landingAsked(session, request);
  return settle(state);
}

const kindOf = (state: ProjectState, isHistoryLong = false) => nextStep(state, isHistoryLong).kind;

const rows: Array<[string, string, () => ProjectState]> = [
  ['a project without features is planned', 'plan', () => opened({ planned: false })],
  ['a planned project starts a session', 'start-session', () => opened()],
  [
    'nothing starts beside a session while one may run at a time',
    'wait',
    () => {
      const state = opened();
      begin(state);
      return state;
    },
  ],
  [
    'a verified commit lands before the next session',
    'land',
    () => {
      const state = opened();
      verified(state);
      return state;
    },
  ],
  [
    'nothing lands while the project is paused',
    'wait',
    () => {
      const state = opened();
      verified(state);
      state.pause();
      return settle(state);
    },
  ],
  [
    'one commit lands at a time',
    'wait',
    () => {
      const state = opened();
      state.sessions.landingStarted(verified(state));
      return state;
    },
  ],
  [
    'a landed feature makes room for the next session',
    'start-session',
    () => {
      const state = opened();
      const session = verified(state);
      state.sessions.landingStarted(session);
      state.sessionEnded(session, { kind: 'landed', reason: 'green' });
      return settle(state);
    },
  ],
  [
    'a requested session waits until the status before it is stored',
    'wait',
    () => {
      const state = opened();
      state.wait('The session limit is reached.');
      state.showing();
      state.requestSession({}, 'r1');
      return state;
    },
  ],
  [
    'then it starts',
    'start-session',
    () => {
      const state = opened();
      state.wait('The session limit is reached.');
      state.requestSession({}, 'r1');
      return settle(state);
    },
  ],
  [
    'the next session starts while a person is asked about the work of another',
    'start-session',
    () => asking(opened()),
  ],
  [
    'an answer is stored though the project is paused',
    'keep-answer',
    () => {
      const state = asking(opened());
      state.pause();
      state.requests.addAnswer({ id: 'r1', answer: 'yes', by: 'person' });
      return settle(state);
    },
  ],
  [
    'allowed work lands',
    'land',
    () => {
      const state = asking(opened());
      state.answered({ id: 'r1', kind: 'landing', answer: 'yes' });
      return settle(state);
    },
  ],
  [
    'work lands whose request is answered before its session is known to wait',
    'land',
    () => {
      const state = opened();
      const session = verified(state);
      state.sessions.landingStarted(session);
      state.answered({ id: 'r1', kind: 'landing', answer: 'yes' });
      state.landingAsked(session, request);
      return settle(state);
    },
  ],
  [
    'a resume renews attempts while only an answer is missing',
    'renew',
    () => {
      const state = asking(opened());
      state.sessionNotClaimed(state.sessionOpened({ requested: false }), { kind: 'busy' });
      settle(state);
      state.resume();
      return settle(state);
    },
  ],
  [
    'a feature that a person answered for is worked on again, and no other is renewed',
    'start-session',
    () => {
      const state = opened();
      state.sessionNotClaimed(state.sessionOpened({ requested: false }), { kind: 'blocked', reason: 'x' });
      settle(state);
      state.answered({ id: 'r2', kind: 'feature', answer: 'yes' });
      return settle(state);
    },
  ],
  [
    'a pause reaches a session before it is stored',
    'notify',
    () => {
      const state = opened();
      begin(state);
      state.pause();
      return state;
    },
  ],
  [
    'a resume is stored before a session hears of it',
    'show',
    () => {
      const state = opened();
      begin(state);
      state.pause();
      settle(state);
      state.resume();
      return state;
    },
  ],
  [
    'a session that started during a pause and a resume hears of the resume',
    'notify',
    () => {
      const state = opened();
      const session = state.sessionOpened({ requested: false });
      state.sessionClaimed(session, work);
      state.childStarting(session);
      state.pause();
      state.resume();
      settle(state);
      state.childStarted(session);
      return state;
    },
  ],
  [
    'a pause for a budget that was raised meanwhile lets the session go on',
    'notify',
    () => {
      const state = opened();
      begin(state);
      state.budgetsSet({ project: { usd: 20 } });
      state.pause({ budget: true, budgets: { project: { usd: 10 } } });
      return state;
    },
  ],
  [
    'an abandon waits for the sessions that it stops',
    'wait',
    () => {
      const state = opened();
      begin(state);
      state.abandon();
      return state;
    },
  ],
  [
    'an abandon gives up verified work that has not landed',
    'interrupt',
    () => {
      const state = opened();
      verified(state);
      state.abandon();
      return state;
    },
  ],
  [
    'an abandoned project ends once nothing is in flight',
    'end',
    () => {
      const state = opened();
      state.abandon();
      return state;
    },
  ],
  [
    'a revert goes before a session that was asked for',
    'revert',
    () => {
      const state = opened();
      state.requestSession({}, 'u1');
      state.requestRevert({ checkpoint: 'c1' }, 'u2');
      return state;
    },
  ],
  [
    'a half-done revert is finished before anything is worked on',
    'finish-revert',
    () => opened({ unfinished: { revertId: 'r', request: { checkpoint: 'c1' } } }),
  ],
  [
    'a session that was asked for runs though the project is paused',
    'start-session',
    () => {
      const state = opened({ status: 'PAUSED' });
      state.requestSession({ feature: 'x' }, 'u1');
      return state;
    },
  ],
  [
    'a paused project rests again after a session that was asked for',
    'wait',
    () => {
      const state = opened({ status: 'PAUSED' });
      state.requestSession({ feature: 'x' }, 'u1');
      state.sessionEnded(begin(state, { requested: true }), { kind: 'failed', reason: 'red' });
      return settle(state);
    },
  ],
  [
    'a project that waited is given attempts anew when it is resumed',
    'renew',
    () => {
      const state = opened({ status: 'WAITING' });
      state.resume();
      return settle(state);
    },
  ],
  [
    'it is given them also if a pause came in between',
    'renew',
    () => {
      const state = opened({ status: 'WAITING' });
      state.pause();
      state.resume();
      return settle(state);
    },
  ],
  [
    'a session that could not go on has the project wait',
    'wait',
    () => {
      const state = opened();
      state.sessionEnded(begin(state), { kind: 'interrupted', reason: 'no disk', unavailable: true });
      return settle(state);
    },
  ],
  [
    'a project whose features all pass ends',
    'end',
    () => {
      const state = opened();
      state.sessionNotClaimed(state.sessionOpened({ requested: false }), { kind: 'all-passing' });
      return state;
    },
  ],
  [
    'a message that comes while the end is being shown is answered before it',
    'revert',
    () => {
      const state = opened();
      state.end({ status: 'COMPLETED', reason: 'Every feature passes.' });
      state.requestRevert({ checkpoint: 'c1' }, 'u1');
      return settle(state);
    },
  ],
  [
    'an end that is shown closes the project',
    'close',
    () => {
      const state = opened();
      state.end({ status: 'COMPLETED', reason: 'Every feature passes.' });
      return settle(state);
    },
  ],
  ['a project that had ended and is asked for nothing ends again', 'end', () => opened({ status: 'FAILED' })],
  [
    'sessions of an earlier workflow are stopped first',
    'stop-left-sessions',
    () => opened({ left: ['p-s1'], sessions: 1 }),
  ],
  [
    'a named failure in the background ends the project',
    'fail',
    () => {
      const state = opened();
      state.failed(new Error('no'));
      return state;
    },
  ],
];

test.each(rows)('%s: %s', (_rule, kind, state) => {
  expect(kindOf(state())).toBe(kind);
});

test('a long history continues as new between sessions only', () => {
  const state = opened();
  expect(kindOf(state, true)).toBe('continue-as-new');
  const session = begin(state);
  expect(kindOf(state, true)).toBe('wait');
  state.sessionEnded(session, commit);
  expect(kindOf(state, true)).toBe('land');
});

test('a history that grows too long continues as new with the work that waits for an answer', () => {
  const state = asking(opened());
  expect(kindOf(state, true)).toBe('continue-as-new');
  const next = new ProjectState('p', state.carried);
  const settings = { maxAttempts: 3, network: 'none' as const };
  const rest = { reason: null, sessions: 1, left: ['p-s1'], planned: true, planning: 1, proposed: false, head: null };
  next.opened({ status: 'WAITING', ...rest, settings }, state.carried);
  expect(settle(next).view.status).toBe('ACTIVE');
  expect(nextStep(next)).toMatchObject({ kind: 'land', session: { id: 'p-s1', claim: work, verified: commit } });
});

test('a project of which only an answer is missing is WAITING, and says for what', () => {
  const state = asking(opened());
  state.sessionNotClaimed(state.sessionOpened({ requested: false }), { kind: 'busy' });
  expect(state.view).toEqual({ status: 'WAITING', reason: 'Land it? `longhaul answer r1 yes` (or no) answers.' });
});

test('a project without sessions left asks only whether everything passes, and says why it waits', () => {
  const state = opened({ settings: { maxAttempts: 3, network: 'none' as const, maxSessions: 1 } });
  state.sessionEnded(begin(state), { kind: 'failed', reason: 'red' });
  expect(state.mayStartSession).toBe(false);
  state.sessionNotClaimed(state.sessionOpened({ requested: false }), { kind: 'not-started' });
  expect(state.view).toEqual({
    status: 'WAITING',
    reason: 'The session limit is reached. `resume` allows as many sessions again.',
  });
  expect(state.started).toBe(1);
});

test('a resume gives a project as many sessions again, also where a pause or a revert came in between', () => {
  const state = opened({ settings: { maxAttempts: 3, network: 'none' as const, maxSessions: 1 } });
  const useUp = () => {
    state.sessionEnded(begin(state), { kind: 'failed', reason: 'red' });
    state.sessionNotClaimed(state.sessionOpened({ requested: false }), { kind: 'not-started' });
    expect(state.mayStartSession).toBe(false);
  };
  const resume = () => {
    state.resume();
    settle(state);
    expect(kindOf(state)).toBe('renew');
    state.renewed();
    expect([state.mayStartSession, kindOf(state)]).toEqual([true, 'start-session']);
  };
  useUp();
  state.pause();
  resume();
  useUp();
  state.reverted({ checkpoint: 'p/c1', commit: 'c', keptRef: 'r' });
  resume();
});

test('a refused revert lets the project continue without it, an incomplete one does not', () => {
  const state = opened();
  const request = { revertId: 'r', request: { checkpoint: 'c1' } };
  expect(state.revertFailed(request, 'RepositoryBusy', 'A merge is under way.')).toMatchObject({
    type: 'RepositoryBusy',
    message: expect.stringContaining('was refused and changed nothing. `resume` continues without it.'),
  });
  expect(state.unfinishedRevert).toBeUndefined();
  expect(state.revertFailed(request, undefined, 'killed')).toMatchObject({ type: 'RevertUnfinished' });
  expect(state.view.reason).toContain('The revert to c1 is incomplete');
  const refused = state.requestSession({}, 'u1');
  expect(refused.outcome).toMatchObject({ failure: { type: 'RevertUnfinished' } });
});

const spent = { budget: true, waiting: true, request: 'r2', reason: 'A person has to allow more.' } as const;

test('an answer on spending lets the project go on, which checks then what was allowed', () => {
  const state = opened();
  begin(state);
  state.pause(spent);
  expect(state.requests.deadlineIsDue).toBe(true);
  expect(settle(state).view).toEqual({ status: 'WAITING', reason: spent.reason });
  state.requests.addAnswer({ id: 'r2', answer: 'no', by: 'person' });
  expect(kindOf(state)).toBe('keep-answer');
  state.answered({ id: 'r2', kind: 'spending', answer: 'no' });
  expect(settle(state).view.status).toBe('ACTIVE');
});

test('a stop of the spending that arrives after the answer to it stops nothing', () => {
  const state = opened();
  begin(state);
  state.requests.addAnswer({ id: 'r2', answer: 'yes', by: 'person' });
  state.answered({ id: 'r2', kind: 'spending', answer: 'yes' });
  state.pause(spent);
  expect(state.hold).toBeNull();
  expect(nextStep(state)).toMatchObject({ kind: 'notify' });
});

test('the default answer counts once a deadline has passed, and then the next one is read', () => {
  const state = opened();
  begin(state);
  state.requests.deadlineRead({ id: 'r2', deadline: '2026-11-27T00:00:00Z', answer: 'yes' });
  state.requests.deadlinePassed();
  expect(nextStep(state)).toMatchObject({ answer: { id: 'r2', answer: 'yes', by: 'deadline' } });
  state.answered(null);
  expect(kindOf(state)).toBe('read-deadline');
});
