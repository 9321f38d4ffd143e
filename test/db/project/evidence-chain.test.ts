import { expect, test } from '@jest/globals';
import { findTampering, hashEvidence, hashJson } from '../../../db/project/evidence-chain.ts';
import type { Evidence } from '../../../domain/verification/evidence.ts';

const step = {
  description: 'It adds.',
  command: 'true',
  passed: true,
  outcome: 'exited',
  exitCode: 0,
  output: 'é',
  durationMs: 1,
};

function chainOf(count: number): Evidence[] {
  const chain: Evidence[] = [];
  for (let number = 1; number <= count; number += 1) {
    const verdict = {
      number,
      previous: chain.at(-1)?.hash ?? null,
      id: `v${number}`,
      feature: 'add',
      requirement: 'It adds.',
      checks: hashJson([]),
      purpose: 'session' as const,
      commit: 'c'.repeat(40),
      image: null,
      passed: true,
      reason: '1 of 1 verification steps passed.',
      steps: [step],
      mutants: null,
      at: '2026-01-01T00:00:00.000Z',
    };
    chain.push({ ...verdict, hash: hashEvidence(verdict) });
  }
  return chain;
}

test('the same value has the same hash, in whatever order its keys are and whether or not some are undefined', () => {
  expect(hashJson({ a: 1, b: [{ c: 'é', d: undefined }] })).toBe(hashJson({ b: [{ c: 'é' }], a: 1 }));
});

test('a chain that was written and read again is whole', () => {
  expect(findTampering(JSON.parse(JSON.stringify(chainOf(3))))).toEqual([]);
});

test('a changed output is found', () => {
  const [one, two] = chainOf(2) as [Evidence, Evidence];
  expect(findTampering([{ ...one, steps: [{ ...step, output: 'OK' }] }, two])).toEqual([
    'v1 was changed after it was recorded.',
  ]);
});

test('a changed verdict with a new hash no longer fits the next one', () => {
  const [one, two] = chainOf(2) as [Evidence, Evidence];
  const forged = { ...one, passed: false };
  expect(findTampering([{ ...forged, hash: hashEvidence(forged) }, two])).toEqual([
    'v2 does not follow v1: something was removed or added.',
  ]);
});

test('a verdict that was taken out is missed', () => {
  const [one, , three] = chainOf(3) as [Evidence, Evidence, Evidence];
  expect(findTampering([one, three])).toEqual(['v3 does not follow v1: something was removed or added.']);
  expect(findTampering([three])).toEqual(['v3 does not follow the beginning: something was removed or added.']);
});
