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

test('a command runs a check if it names a runner, the file, its module or a folder that it is in', () => {
  for (const command of [
    'python3 -m pytest -q',
    'npm test',
    'npx jest --ci',
    'node --test',
    'make check',
    'sh tests/deep/check.sh',
    'run tests/',
    'python3 -m tests.deep.check',
  ]) {
    expect([command, runsCheck(command, 'tests/deep/check.sh')]).toEqual([command, true]);
  }
  for (const command of ['./app --help', 'grep -q x README.md', 'cat latest-tests', './makecheck']) {
    expect([command, runsCheck(command, 'tests/deep/check.sh')]).toEqual([command, false]);
  }
});
