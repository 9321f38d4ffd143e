import { expect, test } from '@jest/globals';
import { createLiveState, reduceLiveState } from '../../../cli/live/live-state.ts';
import {
  eventsOf,
  featureChanged,
  runStarted,
  sessionStarted,
  startedAt,
  stateAfter,
  toolCompleted,
  turnCompleted,
} from './events.ts';

const pytest = { tool: 'run_command', preview: 'pytest -q' };

test('a repeated event counts once', () => {
  const [event] = eventsOf(turnCompleted(1, []));
  if (!event) throw new Error('There is one event.');
  const once = reduceLiveState(createLiveState({ name: 'spend', startedAt }), { kind: 'event', event });
  expect(reduceLiveState(once, { kind: 'event', event })).toBe(once);
  expect(once).toMatchObject({ inputTokens: 100, outputTokens: 10 });
});

test('the running tool is shown only while it runs', () => {
  const state = stateAfter(sessionStarted, runStarted, turnCompleted(1, [pytest, { tool: 'finish', preview: 'done' }]));
  expect(state.run).toMatchObject({ turn: 1, tools: [pytest, { tool: 'finish' }] });
  const later = stateAfter(sessionStarted, runStarted, turnCompleted(1, [pytest]), toolCompleted(1, 'run_command'));
  expect(later.run?.tools).toEqual([]);
});

test('after the last call of a turn the next turn is shown', () => {
  expect(stateAfter(sessionStarted, runStarted, turnCompleted(1, [])).run?.turn).toBe(2);
  const called = stateAfter(sessionStarted, runStarted, turnCompleted(1, [pytest]), toolCompleted(1, 'run_command'));
  expect(called.run?.turn).toBe(2);
});

test('late news of an earlier run does not change the current one', () => {
  const state = stateAfter(sessionStarted, runStarted, { ...turnCompleted(4, [pytest]), run: 'p-s1-plan' });
  expect(state.run).toMatchObject({ id: 'p-s1-work', turn: 1, tools: [] });
  expect(state.inputTokens).toBe(100);
});

test('a feature without an event is known from the list and keeps its place', () => {
  const planned = reduceLiveState(createLiveState({ name: 'spend', startedAt }), {
    kind: 'features',
    features: [
      { name: 'entries', category: 'functional', status: 'NOT_STARTED', attempts: 0 },
      { name: 'report', category: 'ui', status: 'NOT_STARTED', attempts: 0 },
    ],
  });
  const [event] = eventsOf(featureChanged('entries', 'PASSING'));
  if (!event) throw new Error('There is one event.');
  expect(reduceLiveState(planned, { kind: 'event', event }).features).toEqual([
    { name: 'entries', category: 'functional', status: 'PASSING', attempts: 0 },
    { name: 'report', category: 'ui', status: 'NOT_STARTED', attempts: 0 },
  ]);
});

test('an ended project shows no session, and its clock stops', () => {
  const state = stateAfter(sessionStarted, runStarted, {
    type: 'project.changed',
    status: 'ABANDONED',
    reason: 'enough',
  });
  expect(state).toMatchObject({ status: 'ABANDONED', reason: 'enough', session: undefined, run: undefined });
  expect(state.endedAt).toEqual(new Date(startedAt.getTime() + 3000));
});

test('the clock continues when a project is resumed after its end', () => {
  const state = stateAfter(
    { type: 'project.changed', status: 'COMPLETED' },
    { type: 'project.changed', status: 'ACTIVE' },
  );
  expect(state.endedAt).toBeUndefined();
});
