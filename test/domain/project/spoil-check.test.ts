import { expect, test } from '@jest/globals';
import { runsCheck, spoilCheck } from '../../../domain/project/spoil-check.ts';

test('the tests of a Python file are spoiled before the line that runs them', () => {
  const spoiled = spoilCheck(
    'tests/test_sums.py',
    "def test_a():\n    pass\n\nif __name__ == '__main__':\n    main()\n",
  );
  expect(spoiled).toMatch(/^def test_a[\s\S]*_spoil\(globals\(\)\)[\s\S]*if __name__ == '__main__':\n {4}main\(\)\n$/);
});

test('the assertions of a JavaScript file throw, and a test that fails is added', () => {
  const spoiled = spoilCheck(
    'a/sums.test.ts',
    "it('adds', () => { expect(add(1)).toBe(2); assert.equal(add(1), 2); });",
  );
  expect(spoiled).not.toMatch(/expect\(|assert\.equal\(/);
  expect(spoiled).toMatch(/\n;it\("Spoiled by the harness/);
});

test('a shell script is replaced by one that fails', () => {
  expect(spoilCheck('tests/check.sh', 'true\n')).toBe('#!/bin/sh\nexit 1\n');
});

test('files that are no known checks are left alone', () => {
  for (const path of ['sums.py', 'src/app.ts', 'tests/expected.txt', 'latest.py', 'package.json']) {
    expect([path, spoilCheck(path, 'anything')]).toEqual([path, undefined]);
  }
  expect(spoilCheck('a.test.js', 'nothing of a test')).toBeUndefined();
});

test('a command runs a check if it names the file, its module, all of a folder, or a runner of such files', () => {
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
      'for one in tests/deep/*; do sh $one; done',
      'make check',
    ],
    'web/sums.test.ts': ['npm test', 'npx jest --ci', 'node --test', 'yarn run test'],
  };
  for (const [path, commands] of Object.entries(running)) {
    for (const command of commands) expect([command, runsCheck(command, path)]).toEqual([command, true]);
  }
  const others = [
    './app --help',
    'diff <(./app) tests/deep/expected.txt',
    'cat latest-tests',
    './makecheck',
    'npm test',
  ];
  for (const command of others) expect([command, runsCheck(command, 'tests/deep/check.sh')]).toEqual([command, false]);
});
