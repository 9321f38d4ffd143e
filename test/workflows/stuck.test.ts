import { expect, test } from '@jest/globals';
import { type CallTrace, defaultStuckLimits, isCircling, movesOn, remember } from '../../workflows/stuck.ts';

const same: CallTrace = { callHash: 'a', resultHash: '1' };
const tests: CallTrace = { callHash: 'pytest', resultHash: 'red', command: 'works' };
const edit = (text: string): CallTrace => ({ callHash: text, resultHash: 'ok', changes: true });
const poll: CallTrace = { callHash: 'sleep 2; curl', resultHash: 'starting', command: 'waits' };

function circlesAfter(...calls: CallTrace[]): boolean {
  const traces = calls.reduce<CallTrace[]>((earlier, call) => remember(earlier, [call]), []);
  return isCircling(traces, defaultStuckLimits);
}

test('the same call with the same result three times is a circle', () => {
  expect(circlesAfter(same, same, same)).toBe(true);
  expect(circlesAfter(tests, tests, tests)).toBe(true);
});

test('twice is not, since files are read again', () => {
  expect(circlesAfter(same, same)).toBe(false);
});

test('a test run whose result changes is not a circle', () => {
  expect(circlesAfter(same, { ...same, resultHash: '2' }, same, { ...same, resultHash: '3' })).toBe(false);
});

test('something else in between is not a circle', () => {
  expect(circlesAfter(same, same, { callHash: 'b', resultHash: '1' }, same)).toBe(false);
});

test('a test suite that is run again after each edit, red each time, is not a circle', () => {
  expect(circlesAfter(tests, edit('one'), tests, edit('two'), tests, edit('three'), tests)).toBe(false);
  expect(movesOn([tests, edit('one')], [edit('two')])).toBe(true);
});

test('a server that is asked until it is up is not a circle, unless it never comes', () => {
  expect(circlesAfter(...new Array<CallTrace>(14).fill(poll))).toBe(false);
  expect(circlesAfter(...new Array<CallTrace>(15).fill(poll))).toBe(true);
  expect(movesOn([poll], [poll])).toBe(true);
});

test('reading on and on moves nothing, nor does a command that shows what it showed before', () => {
  expect(movesOn([], [same])).toBe(false);
  expect(movesOn([tests], [same, tests])).toBe(false);
  expect(movesOn([tests], [{ ...tests, resultHash: 'green' }])).toBe(true);
});
