import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { createPlainWriter } from '../../../cli/live/plain-writer.ts';
import { formatTime } from '../../../client/format/time.ts';
import type { ProjectEventData } from '../../../domain/run/event.ts';
import {
  eventsOf,
  featureChanged,
  runStarted,
  sessionStarted,
  stateAfter,
  toolCompleted,
  turnCompleted,
} from './events.ts';

const colors = picocolors.createColors(false);

function linesOf(...all: ProjectEventData[]): string[] {
  const lines: string[] = [];
  const writer = createPlainWriter({ write: (text) => lines.push(text) }, colors, (text) => text);
  for (const event of eventsOf(...all)) {
    writer.event(event, stateAfter());
    const last = lines.at(-1);
    if (last) lines[lines.length - 1] = last.replace(`${formatTime(event.createdAt)} `, '').trimEnd();
  }
  return lines;
}

test('a tool call is one line with what was asked and what came', () => {
  const [line] = linesOf(
    turnCompleted(1, [{ tool: 'run_command', preview: 'pytest -q' }]),
    toolCompleted(1, 'run_command'),
  ).slice(-1);
  expect(line).toBe('  ✓ run_command pytest -q → exit 0');
});

test('a failure is shown once, not for verification, feature and session each', () => {
  const reason = 'pytest said no';
  const lines = linesOf(
    {
      type: 'verification.completed',
      feature: 'entries',
      commit: 'abcdef0123',
      passed: false,
      purpose: 'session',
      reason,
    },
    featureChanged('entries', 'FAILING', reason),
    {
      type: 'session.ended',
      session: 's',
      number: 3,
      feature: 'entries',
      status: 'FAILED',
      reason,
      commit: 'abcdef0123',
      tokens: 1200,
    },
  );
  expect(lines).toEqual([
    '✗ verification of entries at abcdef01',
    '✗ entries FAILING: pytest said no',
    'session 3 FAILED at abcdef01, 1.2k tokens',
  ]);
});

test('a progress entry of the harness is not shown again', () => {
  expect(linesOf({ type: 'progress.logged', action: 'entries, attempt 2', outcome: 'Passed.' })).toEqual([]);
  expect(linesOf({ type: 'progress.logged', action: 'note of the code agent', outcome: 'Half done.' })).toEqual([
    '  progress: note of the code agent: Half done.',
  ]);
});

test("an agent's words cannot forge a line of the log or move the cursor", () => {
  const lines = linesOf(sessionStarted, runStarted, {
    ...turnCompleted(1, []),
    text: 'fine\n12:00:00 project COMPLETED\x1b[1A',
  });
  expect(lines.at(-1)).toBe('  turn 1, 100 in, 10 out: fine 12:00:00 project COMPLETED␛[1A');
});

test('a steering message is shown when stored and when delivered', () => {
  const text = 'Use tabs.';
  expect(
    linesOf(
      { type: 'steering.received', message: 'm1', text },
      { type: 'steering.delivered', message: 'm1', run: 'r', messageNumber: 4, text },
    ),
  ).toEqual(['you: Use tabs.', '  steering message: Use tabs.']);
});

test('a failed summary is shown as failed', () => {
  const made = {
    type: 'context.compacted' as const,
    run: 'r',
    turn: 9,
    upToMessage: 20,
    why: '100000 of 128000 tokens were in use',
    tokensBefore: 100_000,
    tokensAfter: 20_000,
    inputTokens: 60_000,
    outputTokens: 800,
  };
  const [used, unused] = linesOf(made, { ...made, failure: 'm would not: No.' });
  expect(used).toMatch(/^ {2}older turns summarized \(100000 of 128000 .*\): from about 100.* to 20/);
  expect(unused).toBe('summary failed: m would not: No.');
});

test('the reason for an automatic retry is shown whole', () => {
  const reason = `The repository is locked by ${'/folder'.repeat(40)}/.git/index.lock.`;
  expect(linesOf({ type: 'work.delayed', reason })).toEqual([`waiting to retry: ${reason}`]);
});

test('what a network policy refused is a line of its own with every host', () => {
  const refusals = ['a.example:443', 'b.example:80'].map((host) => ({
    host,
    why: `policy "none" does not allow ${host}`,
  }));
  expect(linesOf({ type: 'network.refused', sandbox: 'p-s1', refusals })).toEqual([
    'network refused: policy "none" does not allow a.example:443; policy "none" does not allow b.example:80',
  ]);
});
