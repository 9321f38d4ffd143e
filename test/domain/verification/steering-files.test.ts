import { expect, test } from '@jest/globals';
import { formerFile, isSteering, overruledBy } from '../../../domain/verification/steering-files.ts';

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
    'vite.config.ts',
    'babel.config.js',
    '.babelrc',
    'tsconfig.build.json',
    '.coveragerc',
    'noxfile.py',
    'justfile',
    '.pylintrc',
    'ruff.toml',
    '.ruff.toml',
    '.flake8',
    'mypy.ini',
    '.eslintrc.json',
    'eslint.config.mjs',
    'biome.json',
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

test('of what package.json names for imports, what is of tests is as before', () => {
  const before = JSON.stringify({ imports: { '#equal': './test/equal.js', '#sums': './a.js' } });
  const now = JSON.stringify({ imports: { '#equal': './weak.js', '#sums': './b.js', '#more': './c.js' } });
  expect(JSON.parse(formerFile('package.json', { before, now, commands: [] }) ?? '')).toMatchObject({
    imports: { '#equal': './test/equal.js', '#sums': './b.js', '#more': './c.js' },
  });
});

test('a makefile counts as it was if it had the targets that the steps call', () => {
  const files = { before: 'check:\n\tsh check.sh\n', now: 'check:\n\ttrue\n' };
  expect(formerFile('Makefile', { ...files, commands: ['make check'] })).toBe(files.before);
  expect(formerFile('Makefile', { ...files, commands: ['make check', 'make lint'] })).toBeUndefined();
});

test('a makefile that includes others counts as it was whatever its own targets are', () => {
  const files = { before: 'include rules.mk\n', now: 'check:\n\ttrue\n' };
  expect(formerFile('Makefile', { ...files, commands: ['make check'] })).toBe(files.before);
});

test('a rule with several targets is one of each of them', () => {
  const files = { before: 'check test:\n\tsh check.sh\n', now: 'check test:\n\ttrue\n' };
  for (const command of ['make check', 'make -s test', 'make'])
    expect(formerFile('Makefile', { ...files, commands: [command] })).toBe(files.before);
  expect(formerFile('Makefile', { ...files, commands: ['make -C sub lint'] })).toBe(files.before);
  expect(formerFile('Makefile', { ...files, commands: ['make lint'] })).toBeUndefined();
});

test('a script that was added does not run before or after one that was there', () => {
  const before = '{ "scripts": { "test": "jest" } }';
  const scripts = {
    test: 'true',
    pretest: 'cp weak.js test/helpers.js',
    posttest: 'exit 0',
    build: 'tsc',
    prebuild: 'ls',
  };
  const now = JSON.stringify({ scripts });
  expect(JSON.parse(formerFile('package.json', { before, now, commands: [] }) ?? '')).toEqual({
    scripts: { test: 'jest', build: 'tsc', prebuild: 'ls' },
  });
  expect(formerFile('package.json', { before, now: undefined, commands: [] })).toBe(before);
});

test('a file may overrule others: a package its module, settings those of the same runner', () => {
  const overruled = (path: string) => overruledBy(path).map((one) => one.path);
  expect(overruled('tests/helpers/__init__.py')).toEqual(['tests/helpers.py']);
  expect(overruled('tests/helpers.cpython-311-x86_64-linux-gnu.so')).toEqual(['tests/helpers.py']);
  expect(overruled('tests/__pycache__/helpers.cpython-311.pyc')).toEqual(['tests/helpers.py']);
  expect(overruled('sub/GNUmakefile')).toEqual(['sub/makefile', 'sub/Makefile']);
  expect(overruled('pytest.ini')).toEqual(['pyproject.toml', 'tox.ini', 'setup.cfg']);
  expect(overruled('jest.config.mjs')).toEqual(['package.json']);
  expect(overruled('tests/helpers.py')).toEqual([]);
  expect(overruled('tests/unit/conftest.py')).toEqual(['conftest.py', 'tests/conftest.py']);
  expect(overruled('test/helpers.js')).toEqual(expect.arrayContaining(['test/helpers.ts', 'test/helpers/index.js']));
  expect(overruled('test/helpers.js')).not.toContain('test/helpers.js');
  expect(overruled('src/helpers.js')).toEqual([]);
  const [pyproject] = overruledBy('pytest.ini');
  expect(['[tool.pytest.ini_options]\n', '[project]\n'].map((text) => pyproject?.has.test(text))).toEqual([
    true,
    false,
  ]);
  const [manifest] = overruledBy('jest.config.js');
  const texts = ['{ "jest": { "bail": 1 } }', '{ "devDependencies": { "jest": "^29" } }'];
  expect(texts.map((text) => manifest?.has.test(text))).toEqual([true, false]);
});
