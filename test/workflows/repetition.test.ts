import { expect, test } from '@jest/globals';
import { type CallTrace, isRepeating, remember } from '../../workflows/repetition.ts';

const same: CallTrace = { callHash: 'a', resultHash: '1' };

function afterCalls(...calls: CallTrace[]): boolean {
  return isRepeating(calls.reduce<CallTrace[]>((traces, call) => remember(traces, [call]), []));
}

test('the same call with the same result three times is a circle', () => {
  expect(afterCalls(same, same, same)).toBe(true);
});

test('twice is not, since files are read again', () => {
  expect(afterCalls(same, same)).toBe(false);
});

test('a test run whose result changes is not a circle', () => {
  expect(afterCalls(same, { ...same, resultHash: '2' }, same, { ...same, resultHash: '3' })).toBe(false);
});

test('something else in between is not a circle', () => {
  expect(afterCalls(same, same, { callHash: 'b', resultHash: '1' }, same)).toBe(false);
});
