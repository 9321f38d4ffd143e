import { expect, test } from '@jest/globals';
import { checkFeatures } from '../../../client/start/check-features.ts';

const feature = (name: string, dependencies: string[] = []) => ({
  name,
  description: `What ${name} does.`,
  category: 'functional',
  priority: 5,
  dependencies,
  verification: { steps: [{ description: 'It works.', command: 'true' }] },
});

const list = (...features: object[]) => ({
  summary: 'Two things.',
  features,
  setup_script: 'true',
  smoke_check: 'true',
});

test('a dependency cycle in features.json is named, feature by feature', () => {
  expect(() => checkFeatures(list(feature('one', ['two']), feature('two', ['one'])), '/f.json')).toThrow(
    '/f.json cannot be used:\n  features: the dependencies go in a circle: one -> two -> one',
  );
});

test('every complaint about features.json is told at once', () => {
  const list1 = list(feature('one', ['three']), feature('one'));
  expect(() => checkFeatures(list1)).toThrow(
    /"one" is used more than once.*\n.*depends on "three", which is not among/,
  );
});

test('something else than a list of features is refused, not guessed at', () => {
  expect(() => checkFeatures([])).toThrow(/cannot be used/);
  expect(() => checkFeatures(null)).toThrow(/cannot be used/);
});

test('a list that can be worked on comes back with its defaults', () => {
  expect(checkFeatures(list(feature('one'), feature('two', ['one']))).features.map(({ name }) => name)).toEqual([
    'one',
    'two',
  ]);
});
