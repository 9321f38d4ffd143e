import { expect, test } from '@jest/globals';
import { chooseNextFeature, type FeatureStanding, settleDependencies } from '../../../domain/project/feature-rules.ts';

function feature(id: string, changes: Partial<FeatureStanding> = {}): FeatureStanding {
  return {
    id,
    name: id,
    position: 0,
    priority: 5,
    status: 'NOT_STARTED',
    attempts: 0,
    blockedByDependency: false,
    dependencies: [],
    ...changes,
  };
}

function nextOf(...features: FeatureStanding[]): string {
  const next = chooseNextFeature(features);
  return next.kind === 'feature' ? next.feature.id : next.kind;
}

test('an interrupted feature is not left behind by new ones', () => {
  expect(nextOf(feature('new', { priority: 10 }), feature('interrupted', { status: 'INTERRUPTED', priority: 1 }))).toBe(
    'interrupted',
  );
});

test('a new feature does not wait behind a failing one', () => {
  expect(
    nextOf(feature('failing', { status: 'FAILING', attempts: 1, priority: 10 }), feature('new', { priority: 1 })),
  ).toBe('new');
});

test('among new features the priority decides, 10 first, then the order given', () => {
  expect(nextOf(feature('low', { priority: 1 }), feature('high', { priority: 10 }))).toBe('high');
  expect(nextOf(feature('later', { position: 1 }), feature('earlier', { position: 0 }))).toBe('earlier');
});

test('among failing features the one with the fewest attempts comes first, whatever its priority', () => {
  const twice = feature('twice', { status: 'FAILING', attempts: 2, priority: 10 });
  const once = feature('once', { status: 'FAILING', attempts: 1, priority: 1 });
  expect(nextOf(twice, once)).toBe('once');
});

test('a feature does not start before its dependencies pass', () => {
  const base = feature('base', { status: 'FAILING', attempts: 1 });
  expect(nextOf(feature('top', { dependencies: ['base'], priority: 10 }), base)).toBe('base');
});

test('nothing is chosen while the rest is at work', () => {
  expect(nextOf(feature('a', { status: 'IN_PROGRESS' }), feature('b', { dependencies: ['a'] }))).toBe('busy');
});

test('a project with only blocked features left does not look finished', () => {
  expect(nextOf(feature('a', { status: 'PASSING' }), feature('b', { status: 'BLOCKED' }))).toBe('blocked');
  expect(nextOf(feature('a', { status: 'PASSING' }))).toBe('all-passing');
});

test('everything behind a blocked feature is blocked too, and names it', () => {
  const changes = settleDependencies([
    feature('a', { status: 'BLOCKED' }),
    feature('b', { dependencies: ['a'] }),
    feature('c', { dependencies: ['b'] }),
    feature('other'),
  ]);
  expect(changes).toEqual([
    { id: 'b', status: 'BLOCKED', blockedByDependency: true, reason: 'It depends on "a", which is BLOCKED.' },
    { id: 'c', status: 'BLOCKED', blockedByDependency: true, reason: 'It depends on "a", which is BLOCKED.' },
  ]);
});

test('features come back when what blocked them clears, failing ones as failing', () => {
  const changes = settleDependencies([
    feature('a', { status: 'FAILING', attempts: 0 }),
    feature('b', { dependencies: ['a'], status: 'BLOCKED', blockedByDependency: true }),
    feature('c', { dependencies: ['b'], status: 'BLOCKED', blockedByDependency: true, attempts: 1 }),
  ]);
  expect(changes.map(({ id, status }) => [id, status])).toEqual([
    ['b', 'NOT_STARTED'],
    ['c', 'FAILING'],
  ]);
});

test('a feature that used up its own attempts does not come back by itself', () => {
  expect(settleDependencies([feature('a', { status: 'BLOCKED', attempts: 3 })])).toEqual([]);
});

test('settling ends where the dependencies form a circle', () => {
  expect(settleDependencies([feature('a', { dependencies: ['b'] }), feature('b', { dependencies: ['a'] })])).toEqual(
    [],
  );
});

/** Features that each depend on all before them. */
const tower = (changes: Record<number, Partial<FeatureStanding>>) =>
  Array.from({ length: 200 }, (_, number) =>
    feature(`f${number}`, {
      dependencies: Array.from({ length: number }, (_, before) => `f${before}`),
      ...changes[number],
    }),
  );

test('a plan of 200 features that build on each other is settled at once', () => {
  const begin = performance.now();
  expect(settleDependencies(tower({ 0: { status: 'PASSING' } }))).toEqual([]);
  expect(settleDependencies(tower({ 0: { status: 'BLOCKED' } }))).toHaveLength(199);
  expect(performance.now() - begin).toBeLessThan(20_000);
});

test('a feature that passes keeps those behind it from being blocked', () => {
  const changes = settleDependencies([
    feature('a', { status: 'BLOCKED' }),
    feature('b', { dependencies: ['a'], status: 'PASSING' }),
    feature('c', { dependencies: ['b'] }),
  ]);
  expect(changes).toEqual([]);
});

test('the nearest blocked feature is named', () => {
  const changes = settleDependencies([
    feature('far', { status: 'BLOCKED' }),
    feature('near', { dependencies: ['far'], status: 'BLOCKED' }),
    feature('top', { dependencies: ['near'] }),
  ]);
  expect(changes).toMatchObject([{ id: 'top', reason: 'It depends on "near", which is BLOCKED.' }]);
});
