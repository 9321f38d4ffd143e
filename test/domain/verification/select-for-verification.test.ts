import { expect, test } from '@jest/globals';
import type { FeatureState } from '../../../db/features/features.ts';
import { selectForVerification } from '../../../domain/verification/select-for-verification.ts';

function feature(number: number, changes: Partial<FeatureState> = {}): FeatureState {
  return {
    id: `f${number}`,
    name: `f${number}`,
    position: number,
    priority: 5,
    status: 'PASSING',
    attempts: 0,
    blockedByDependency: false,
    dependencies: [],
    description: '',
    category: 'functional',
    verification: { steps: [], protectedPaths: [], sealed: [] },
    reason: null,
    lesson: null,
    sessionId: null,
    commit: null,
    ...changes,
  };
}

function select(
  features: FeatureState[],
  files: Record<string, string[]> = {},
  times: Record<string, number> = {},
): string[] {
  return selectForVerification(features, {
    verified: 'f0',
    changedFiles: ['shared.py'],
    filesOf: (one) => files[one.id] ?? [],
    verifiedAt: (one) => times[one.id] ?? 0,
  }).map((one) => one.id);
}

/** All pass except the last. */
const many = (changes: Record<number, Partial<FeatureState>> = {}) =>
  Array.from({ length: 60 }, (_, number) =>
    feature(number, number === 59 ? { status: 'NOT_STARTED' } : changes[number]),
  );

test('a small project verifies everything that passed before, and nothing else', () => {
  expect(select([feature(0), feature(1), feature(2, { status: 'FAILING' })])).toEqual(['f1']);
});

test('a large one does not leave out what changed the same file', () => {
  expect(select(many(), { f50: ['shared.py'], f51: ['other.py'] })).toContain('f50');
});

test('in a large project, everything that depends on the feature or that it depends on is verified', () => {
  const chosen = select(
    many({ 0: { dependencies: ['f40'] }, 41: { dependencies: ['f0'] }, 42: { dependencies: ['f41'] } }),
  );
  expect(chosen).toEqual(expect.arrayContaining(['f40', 'f41', 'f42']));
});

test('a large one is not verified whole', () => {
  expect(select(many())).toHaveLength(5);
});

test('none of a large one is passed over for ever', () => {
  const times: Record<string, number> = {};
  for (let pass = 1; pass <= 12; pass += 1) for (const id of select(many(), {}, times)) times[id] = pass;
  expect(Object.keys(times)).toHaveLength(58);
});

test('a large one is verified whole before it is done', () => {
  expect(select(many().slice(0, 59))).toHaveLength(58);
});
