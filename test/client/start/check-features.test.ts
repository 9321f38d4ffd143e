import { expect, test } from '@jest/globals';
import { checkFeatures } from '../../../client/start/check-goal.ts';

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
    '/f.json cannot be used:\n  features: the dependencies form a cycle: one -> two -> one',
  );
});

test('all complaints about features.json are reported at once', () => {
  const list1 = list(feature('one', ['three']), feature('one'));
  expect(() => checkFeatures(list1)).toThrow(
    /"one" is used more than once.*\n.*depends on "three", which is not among/,
  );
});

test('anything but a list of features is refused', () => {
  expect(() => checkFeatures([])).toThrow(/cannot be used/);
  expect(() => checkFeatures(null)).toThrow(/cannot be used/);
});

test('a valid list comes back with its defaults', () => {
  expect(checkFeatures(list(feature('one'), feature('two', ['one']))).features.map(({ name }) => name)).toEqual([
    'one',
    'two',
  ]);
});

test('complaints about features.json use plain words and feature names', () => {
  const { description: _, ...first } = feature('one');
  const second = { ...feature('two'), priority: 'high', category: 'backend' };
  const third = { ...feature('three'), verification: { steps: [] } };
  const { setup_script: __, ...rest } = list(first, second, third, feature('Not Kebab'), feature('six').verification);
  const told = () => checkFeatures(rest, '/f.json');
  expect(told).toThrow('\n  feature "one", description: expected string, got nothing\n');
  expect(told).toThrow('\n  feature "two", category: expected one of "functional"|');
  expect(told).toThrow(", got 'backend'\n  feature \"two\", priority: expected number, got 'high'\n");
  expect(told).toThrow('\n  feature "three", verification.steps: expected array to have >=1 items, got []\n');
  expect(told).toThrow(`\n  feature "Not Kebab", name: expected kebab-case, e.g. "monthly-report", got 'Not Kebab'\n`);
  expect(told).toThrow('\n  features.4.name: expected string, got nothing\n');
  expect(told).toThrow(/\n {2}setup_script: expected string, got nothing$/);
  expect(() => checkFeatures([])).toThrow('the proposal: expected object, got []');
  expect(() => checkFeatures({ ...rest, features: [null] })).toThrow('features.0: expected object, got null');
});
