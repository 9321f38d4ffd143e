import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { type LiveFeature, type LiveState, reduceLiveState } from '../../../cli/live/live-state.ts';
import { renderLive } from '../../../cli/live/render-live.ts';
import type { AnswerEvent } from '../../../client/events/answer-reader.ts';
import type { FeatureStatus } from '../../../domain/project/statuses.ts';
import { runStarted, sessionStarted, startedAt, stateAfter, turnCompleted } from './events.ts';

const colors = picocolors.createColors(false);
const now = startedAt.getTime() + 252_000;

function withFeatures(state: LiveState, statuses: FeatureStatus[]): LiveState {
  const features = statuses.map(
    (status, index): LiveFeature => ({ name: `feature-${index}`, category: 'functional', status, attempts: 0 }),
  );
  return reduceLiveState(state, { kind: 'features', features });
}

const atWork = stateAfter(
  { type: 'project.changed', status: 'ACTIVE' },
  sessionStarted,
  runStarted,
  turnCompleted(3, [{ tool: 'run_command', preview: 'python3 -m pytest -q acceptance' }]),
);

test('one look shows what is done, what runs, what it cost and how long it took', () => {
  const lines = renderLive(withFeatures(atWork, ['PASSING', 'IN_PROGRESS', 'NOT_STARTED']), {
    columns: 100,
    rows: 30,
    colors,
    now,
  });
  expect(lines).toEqual([
    'spend · ACTIVE · 1/3 passing · 4 min 12 s · 110 tokens',
    ' ✓  feature-0  functional  PASSING',
    ' ▶  feature-1  functional  IN_PROGRESS',
    ' ·  feature-2  functional  NOT_STARTED',
    '─'.repeat(80),
    'session 1, entries, attempt 1 · code, turn 3: run_command python3 -m pytest -q acceptance',
  ]);
});

test('200 features fit the screen, and active or stuck ones are never hidden', () => {
  const statuses = Array.from({ length: 200 }, (): FeatureStatus => 'PASSING');
  statuses[150] = 'IN_PROGRESS';
  statuses[199] = 'BLOCKED';
  const lines = renderLive(withFeatures(atWork, statuses), { columns: 100, rows: 24, colors, now });
  expect(lines.length).toBeLessThan(24);
  expect(lines.join('\n')).toContain('feature-150');
  expect(lines.join('\n')).toContain('feature-199');
  expect(lines.join('\n')).toMatch(/and \d+ passing/);
});

test.each([10, 20, 40, 59, 60, 200])('no line wraps in a terminal of %d columns', (columns) => {
  const state = withFeatures({ ...atWork, name: '日本語 '.repeat(20) }, ['FAILING', 'NOT_STARTED']);
  for (const rows of [3, 10, 50]) {
    for (const line of renderLive(state, { columns, rows, colors, now }))
      expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  }
});

test('what the model says is shown while it is said', () => {
  const asked = stateAfter({ type: 'project.changed', status: 'ACTIVE' }, sessionStarted, runStarted);
  const about = { run: runStarted.run, turn: 1 };
  const hear = (state: LiveState, event: AnswerEvent) => reduceLiveState(state, { kind: 'answer', event });
  const end = (state: LiveState) => renderLive(state, { columns: 40, rows: 24, colors, now }).slice(2);
  const says = (text: string): AnswerEvent => ({ type: 'answer.delta', ...about, delta: { type: 'text', text } });
  const wide = (state: LiveState) => renderLive(state, { columns: 200, rows: 24, colors, now })[2];

  let state = hear(asked, { type: 'answer.asked', ...about, attempt: 1 });
  expect(wide(state)).toContain('turn 1: waiting for the model');
  state = hear(state, { type: 'answer.delta', ...about, delta: { type: 'reasoning', text: 'Hm.' } });
  expect(wide(state)).toContain('turn 1: thinking');
  state = hear(hear(state, says('one ')), says('two'));
  expect(wide(state)).toContain('turn 1: answering');
  expect(end(state).slice(1)).toEqual(['  one two']);
  expect(end(hear(state, says('x'.repeat(500))))).toHaveLength(1 + 3);
  const call: AnswerEvent = {
    type: 'answer.delta',
    ...about,
    delta: { type: 'tool-call', index: 0, name: 'write_file', arguments: '{"path"' },
  };
  expect(wide(hear(state, call))).toContain('turn 1: calling write_file');
  const again = hear(state, { type: 'answer.asked', ...about, attempt: 2 });
  expect(wide(again)).toContain('waiting for the model (asked again: attempt 2)');
  expect(end(again)).toHaveLength(1);
  expect(end(hear(state, { type: 'answer.ended', ...about, outcome: 'answered' }))).toHaveLength(1);
});

test('the first words of a turn are shown while the earlier results are read', () => {
  const about = { run: runStarted.run, turn: 4 };
  const events: AnswerEvent[] = [
    { type: 'answer.asked', ...about, attempt: 1 },
    { type: 'answer.delta', ...about, delta: { type: 'text', text: 'It passes.' } },
  ];
  const state = events.reduce((all, event) => reduceLiveState(all, { kind: 'answer', event }), atWork);
  expect(renderLive(state, { columns: 200, rows: 24, colors, now }).slice(2)).toEqual([
    'session 1, entries, attempt 1 · code, turn 4: answering',
    '  It passes.',
  ]);
  // A late event of a turn whose tools are already running changes nothing.
  const late: AnswerEvent = { type: 'answer.asked', ...about, turn: 3, attempt: 1 };
  const [, , line] = renderLive(reduceLiveState(atWork, { kind: 'answer', event: late }), {
    columns: 200,
    rows: 24,
    colors,
    now,
  });
  expect(line).toContain('turn 3: run_command');
});

test('a waiting project shows what it waits for', () => {
  const state = stateAfter({ type: 'project.changed', status: 'WAITING', reason: 'It has used its sessions.' });
  expect(renderLive(state, { columns: 80, rows: 24, colors, now }).at(-1)).toBe('It has used its sessions.');
});
