import { expect, test } from '@jest/globals';
import { formerFile, isSteering } from '../../../domain/project/steering-files.ts';

const isProtected = (path: string) => path === 'web/app.test.js';

test('what steers a runner or helps tests is known by its name and place', () => {
  for (const path of [
    'conftest.py',
    'deep/conftest.py',
    'pyproject.toml',
    'package.json',
    'jest.config.ts',
    '.npmrc',
    'Makefile',
    'tests/helpers.py',
    'web/__tests__/render.js',
    'web/__snapshots__/app.test.js.snap',
  ])
    expect([path, isSteering(path, isProtected)]).toEqual([path, true]);
  for (const path of [
    'app.py',
    'tests/test_app.py',
    'web/other.test.js',
    'web/__snapshots__/other.test.js.snap',
    'README.md',
  ])
    expect([path, isSteering(path, isProtected)]).toEqual([path, false]);
});

test('the settings may name further files that steer', () => {
  const own = ['harness.toml', 'tools/checks'];
  const steer = (path: string) => isSteering(path, isProtected, own);
  expect(['deep/harness.toml', 'tools/checks/run.py', 'tools/checks.py'].map(steer)).toEqual([true, true, false]);
});

test('of a package.json, scripts and settings of runners are as before, dependencies and new scripts as now', () => {
  const before = JSON.stringify({ scripts: { test: 'jest' }, jest: { bail: 1 }, dependencies: {} });
  const now = JSON.stringify({
    scripts: { test: 'true', lint: 'eslint' },
    mocha: {},
    dependencies: { a: '1' },
    type: 'module',
  });
  expect(JSON.parse(formerFile('package.json', { before, now, commands: [] }) ?? '')).toEqual({
    scripts: { test: 'jest', lint: 'eslint' },
    jest: { bail: 1 },
    dependencies: { a: '1' },
    type: 'module',
  });
  expect(formerFile('package.json', { before: '{', now, commands: [] })).toBe('{');
});

test('a makefile counts as it was if it had the targets that the steps call', () => {
  const files = { before: 'check:\n\tsh check.sh\n', now: 'check:\n\ttrue\n' };
  expect(formerFile('Makefile', { ...files, commands: ['make check'] })).toBe(files.before);
  expect(formerFile('Makefile', { ...files, commands: ['make check', 'make lint'] })).toBeUndefined();
});
