import { expect, test } from '@jest/globals';
import {
  type CallTrace,
  defaultStuckLimits,
  findLoop,
  movesOn,
  remember,
  type StuckLimits,
} from '../../../domain/run/loop-detection.ts';

const same: CallTrace = { callHash: 'a', resultHash: '1' };
const tests: CallTrace = { callHash: 'pytest', resultHash: 'red', command: 'works' };
const edit = (text: string): CallTrace => ({ callHash: text, resultHash: 'ok', changes: true });
const poll: CallTrace = { callHash: 'sleep 2; curl', resultHash: 'starting', command: 'waits' };

function loopAfter(...calls: CallTrace[]): number | undefined {
  return loopWithin(defaultStuckLimits, calls);
}

function loopWithin(limits: StuckLimits, calls: CallTrace[]): number | undefined {
  const traces = calls.reduce<CallTrace[]>((earlier, call) => remember(earlier, [call], limits), []);
  return findLoop(traces, limits);
}

test('a command that waits in vain is found with a patient setting too', () => {
  const polls = Array.from({ length: 60 }, () => poll);
  expect(loopWithin({ ...defaultStuckLimits, sameCalls: 12 }, polls)).toBe(60);
});

test('the same call with the same result three times is a loop', () => {
  expect(loopAfter(same, same, same)).toBe(3);
  expect(loopAfter(tests, tests, tests)).toBe(3);
});

test('twice is not, since files are read again', () => {
  expect(loopAfter(same, same)).toBeUndefined();
});

test('a test run whose result changes is not a loop', () => {
  expect(loopAfter(same, { ...same, resultHash: '2' }, same, { ...same, resultHash: '3' })).toBeUndefined();
});

test('something else in between is not a loop', () => {
  expect(loopAfter(same, same, { callHash: 'b', resultHash: '1' }, same)).toBeUndefined();
});

test('a test suite run again after each edit, red each time, is not a loop', () => {
  expect(loopAfter(tests, edit('one'), tests, edit('two'), tests, edit('three'), tests)).toBeUndefined();
  expect(movesOn([tests, edit('one')], [edit('two')])).toBe(true);
});

test('the same file written repeatedly, or an edit done and undone in turn, is no progress', () => {
  expect(movesOn([], [edit('one')])).toBe(true);
  expect(movesOn([edit('one'), tests], [edit('one'), tests])).toBe(false);
  expect(movesOn([edit('one'), tests, edit('back'), tests], [edit('one')])).toBe(false);
  expect(movesOn([edit('one'), tests], [{ ...edit('one'), resultHash: 'replaced' }])).toBe(true); // it had other content before
});

test('a server asked until it is up is not a loop, unless it never comes up', () => {
  expect(loopAfter(...new Array<CallTrace>(14).fill(poll))).toBeUndefined();
  expect(loopAfter(...new Array<CallTrace>(15).fill(poll))).toBe(15);
  expect(movesOn([poll], [poll])).toBe(true);
});

test('reading and repeated output are no progress', () => {
  expect(movesOn([], [same])).toBe(false);
  expect(movesOn([tests], [same, tests])).toBe(false);
  expect(movesOn([tests], [{ ...tests, resultHash: 'green' }])).toBe(true);
});

test('three equal calls of one answer are a loop only after the model has seen what they bring', () => {
  const repeated: CallTrace = { ...same, repeats: true };
  expect(loopAfter(same, repeated, repeated)).toBeUndefined();
  expect(loopAfter(same, repeated, repeated, same, repeated, same)).toBe(3);
});

test('a suite whose duration changes each run is no progress', () => {
  const took = (resultHash: string): CallTrace => ({ ...tests, resultHash, shownHash: 'red' });
  expect(movesOn([], [took('red in 1 s')])).toBe(true);
  expect(movesOn([took('red in 1 s')], [took('red in 2 s')])).toBe(false);
  expect(movesOn([took('red in 1 s')], [{ ...took('green in 2 s'), shownHash: 'green' }])).toBe(true);
  expect(loopAfter(took('red in 1 s'), took('red in 2 s'), took('red in 3 s'))).toBeUndefined(); // no loop: the time may be what is measured
});
