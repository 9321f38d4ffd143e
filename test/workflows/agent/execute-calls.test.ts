import { expect, test } from '@jest/globals';
import { inBatches } from '../../../workflows/agent/execute-calls.ts';

const read = { readOnly: true };
const write = { readOnly: false };

test('calls that change something are never side by side with others', () => {
  expect(inBatches([read, read, write, read, write, write])).toEqual([[read, read], [write], [read], [write], [write]]);
});

test('an answer without calls makes no batch', () => {
  expect(inBatches([])).toEqual([]);
});

test('calls that do not fit beside the others begin a batch of their own', () => {
  const atMostTwo = (batch: unknown[]) => batch.length < 2;
  expect(inBatches([read, read, read, write, read], atMostTwo)).toEqual([[read, read], [read], [write], [read]]);
});
