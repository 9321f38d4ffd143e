import { expect, test } from '@jest/globals';
import { drawsOf } from '../../../../domain/verification/spoil/draw.ts';
import {
  isKnownCheck,
  namesAsCheck,
  runsCheck,
  spoilCheck,
} from '../../../../domain/verification/spoil/spoil-check.ts';

const spoiling = { command: 'sh run.sh', draw: drawsOf(4711) };

test('files that are no known checks are left alone', () => {
  for (const path of ['sums.py', 'src/app.ts', 'tests/expected.txt', 'latest.py', 'package.json']) {
    expect([path, spoilCheck(path, 'anything', spoiling)]).toEqual([path, undefined]);
  }
  expect(spoilCheck('a.test.js', 'nothing of a test', spoiling)).toBeUndefined();
});

test('where some tests of a JavaScript file do not run, by the step or by the file, each of its assertions fails', () => {
  const content = "it('adds', () => { expect(add(1)).toBe(2); });\n";
  const spoil = (command: string, text: string) => spoilCheck('a.test.js', text, { ...spoiling, command })?.content;
  expect(spoil('npx jest', content)).toMatch(/expect\(add\(1\)\)\.toBe\([3-9]\)/);
  for (const [command, text] of [
    ['npx jest -t adds', content],
    ['npx jest', `${content}it.only('subtracts', () => {});\n`],
    ['npx jest', `${content}describe.skip('later', () => {});\n`],
  ] as const)
    expect(spoil(command, text)).not.toContain('expect(add(1)).toBe(2)');
  const skipping = `${content}test.skip('subtracts', () => {});\n`;
  expect(spoilCheck('a.test.js', skipping, { ...spoiling, command: 'npx jest' })?.tests).toHaveLength(1);
});

test('a command runs a check if it names the file, its module, all of a folder, also from a folder that it changes to, or a runner', () => {
  const running = {
    'tests/deep/test_sums.py': [
      'python3 -m pytest -q',
      'python3 -m tests.deep.test_sums',
      'cd x && tox',
      'run tests/',
      'make test',
    ],
    'tests/deep/check.sh': [
      'sh tests/deep/check.sh',
      'run-parts tests',
      'cd tests/deep && sh check.sh',
      '(cd ./tests; run-parts deep)',
      'for one in tests/deep/*; do sh $one; done',
      'make check',
      'test "$(sh tests/deep/check.sh)" = ok',
      'test -f tests/deep/check.sh && sh tests/deep/check.sh',
    ],
    'web/sums.test.ts': [
      'npm test',
      'npx jest --ci',
      'node --test',
      'yarn run test',
      './node_modules/.bin/jest',
      'node --experimental-vm-modules node_modules/jest/bin/jest.js',
      'node node_modules/vitest/vitest.mjs run',
      'node --import tsx --test',
      'node --test-reporter=tap --test',
    ],
    'test/test_sums.py': ['.venv/bin/pytest', 'run test/'],
  };
  for (const [path, commands] of Object.entries(running)) {
    for (const command of commands) expect([command, runsCheck(command, path)]).toEqual([command, true]);
  }
  const others = [
    './app --help',
    'diff <(./app) tests/deep/expected.txt',
    'cat latest-tests',
    './makecheck',
    'cd web && sh check.sh',
    'npm test',
    'npx eslint src tests/',
    'python3 -m mypy tests',
    'test -f tests/deep/check.sh',
    'grep -q "set -e" tests/deep/check.sh',
  ];
  for (const command of others) expect([command, runsCheck(command, 'tests/deep/check.sh')]).toEqual([command, false]);
  for (const command of ['test "$(node app.js)" = 5', 'test -d node_modules/jest && node app.js', 'node app.js --test'])
    expect([command, runsCheck(command, 'test/sums.test.js')]).toEqual([command, false]);
});

test('a command may run checks by a script or target, unless its name says that it only looks at files', () => {
  const running = {
    'tests/test_sums.py': [
      'make',
      'make -s check',
      'cd x && make verify',
      'timeout 60 make all >/dev/null',
      'A=1 make -j4',
    ],
    'test/sums.test.js': ['npm run check', 'npm --silent test', 'pnpm verify', 'bun run ci', 'sh -c "yarn e2e"'],
  };
  for (const [path, commands] of Object.entries(running))
    for (const command of commands) expect([command, runsCheck(command, path)]).toEqual([command, true]);
  const others = [
    'make lint',
    'make build',
    'npm run typecheck',
    'npm ci',
    'grep -q "make check" a.md || ./app',
    './make',
    'npm run check',
  ];
  for (const command of others) expect([command, runsCheck(command, 'tests/test_sums.py')]).toEqual([command, false]);
});

test('a file of JavaScript is a check by its end, or among tests where it is protected', () => {
  for (const command of ['node --test', 'npx mocha', 'npm test', 'node test/sums.js'])
    expect([command, runsCheck(command, 'test/sums.js')]).toEqual([command, true]);
  expect(runsCheck('node --test', 'sums_test.js')).toBe(true);
  expect(runsCheck('npx jest', 'test/sums.js')).toBe(false);
  expect(isKnownCheck('sums-test.mjs')).toBe(true);
  expect(
    ['test/sums.js', '__tests__/a.ts', 'test/fixtures/a.js', 'a.js'].map((path) => isKnownCheck(path, 'npm test')),
  ).toEqual([true, true, false, false]);
  // Without a command, it may be what tests use.
  expect(isKnownCheck('test/sums.js')).toBe(false);
});

test('a protected file of another name is a check where a command runs it as a program', () => {
  const running = {
    'python3 check.py': 'check.py',
    'cd tests && python3 -u check.py': 'tests/check.py',
    './check.py --all': 'check.py',
    'make && node check.mjs': 'check.mjs',
    'python3 -X dev -u check.py': 'check.py',
    '/usr/bin/python3.11 check.py': 'check.py',
    '.venv/bin/python check.py': 'check.py',
    'node --import tsx ./check.ts': 'check.ts',
    'timeout 60 ./check.py; true': 'check.py',
    'python3 -m checks.verify': 'checks/verify.py',
    'python3 -X dev -m checks': 'checks/__main__.py',
  };
  for (const [command, path] of Object.entries(running))
    expect([command, runsCheck(command, path)]).toEqual([command, true]);
  for (const command of [
    'python3 app.py check.py',
    'python3 -m pytest',
    'grep -q a check.py',
    'make test',
    'python3 -m check.more',
  ])
    expect([command, runsCheck(command, 'check.py')]).toEqual([command, false]);
  const spoil = (command: string) => spoilCheck('check.py', 'import a\n', { command, draw: drawsOf(7) })?.content;
  expect(spoil('python3 check.py')).toMatch(/^assert \d == \d+$/m);
  expect(spoil('python3 app.py')).toBeUndefined();
});

test('no test is spoiled alone where the step may leave it out', () => {
  const content = 'class Sums(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1), 2)\n';
  const alone = (command: string, text = content) =>
    spoilCheck('tests/test_sums.py', text, { command, draw: drawsOf(7) })?.tests.length;
  for (const command of [
    'python3 -m unittest',
    'python3 -m pytest -q tests',
    'PYTHONPATH=. python3 tests/test_sums.py',
  ])
    expect([command, alone(command)]).toEqual([command, 1]);
  for (const command of [
    'python3 -m unittest tests.test_sums.Sums',
    'python3 -m pytest -k add',
    'pytest tests/test_sums.py::Sums',
    'pytest -q -m quick',
    'python3 tests/test_sums.py Sums.test_add',
    'cd tests && python3 -m unittest test_sums.Sums',
  ])
    expect([command, alone(command)]).toEqual([command, 0]);
  expect(alone('python3 -m unittest', `@unittest.skipIf(old, 'old')\n${content}`)).toBe(0);
});

test('a large file is of no known kind, and a long command takes no time', () => {
  expect(spoilCheck('a.test.js', `it('a', () => {});${' '.repeat(300_000)}`, spoiling)).toBeUndefined();
  const since = performance.now();
  for (const text of ['\n', ' ', 'cd ', 'python3 ', ';\n', 'pytest ']) {
    const command = text.repeat(200_000);
    for (const path of ['tests/check.py', 'tests/test_a.py']) runsCheck(command, path);
    spoilCheck('check.py', 'import a\n', { command, draw: drawsOf(7) });
  }
  expect(performance.now() - since).toBeLessThan(120_000); // seconds; hours if it grew with the square of the length
});

test('a program that a step tries is no check, unless its path says that it checks', () => {
  for (const [command, path] of [
    ['test "$(python3 main.py 2 3)" = 5', 'main.py'],
    ['node cli.js list | grep -q one', 'cli.js'],
    ['sh greet.sh Eve | grep -q Eve', 'greet.sh'],
  ] as const)
    expect([path, namesAsCheck(command, path)]).toEqual([path, false]);
  for (const [command, path] of [
    ['python3 checks/verify.py', 'checks/verify.py'],
    ['python3 -m pytest acceptance.py', 'acceptance.py'],
    ['sh run-tests.sh', 'run-tests.sh'],
  ] as const)
    expect([path, namesAsCheck(command, path)]).toEqual([path, true]);
});
