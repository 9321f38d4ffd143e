import { expect, test } from '@jest/globals';
import { selectForVerification } from '../../activities/select-for-verification.ts';
import type { FeatureState } from '../../db/features.ts';

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
    verification: { steps: [], protectedPaths: [] },
    reason: null,
    lesson: null,
    sessionId: null,
    commit: null,
    ...changes,
  };
}

function select(features: FeatureState[], files: Record<string, string[]> = {}): string[] {
  const filesOf = (one: FeatureState) => files[one.id] ?? [];
  return selectForVerification(features, { verified: 'f0', changedFiles: ['shared.py'], filesOf }).map((one) => one.id);
}

const many = (changes: Record<number, Partial<FeatureState>> = {}) =>
  Array.from({ length: 60 }, (_, number) => feature(number, changes[number]));

test('a small project verifies everything that passed again, and nothing else', () => {
  expect(select([feature(0), feature(1), feature(2, { status: 'FAILING' })])).toEqual(['f1']);
});

test('a large one does not leave out what changed the same file', () => {
  expect(select(many(), { f50: ['shared.py'], f51: ['other.py'] })).toContain('f50');
});

test('a large one does not leave out what depends on the feature, however far, or what it depends on', () => {
  const chosen = select(
    many({ 0: { dependencies: ['f40'] }, 41: { dependencies: ['f0'] }, 42: { dependencies: ['f41'] } }),
  );
  expect(chosen).toEqual(expect.arrayContaining(['f40', 'f41', 'f42']));
});

test('a large one is not verified whole', () => {
  expect(select(many())).toHaveLength(5);
});
