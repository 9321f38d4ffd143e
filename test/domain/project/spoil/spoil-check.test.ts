import { expect, test } from '@jest/globals';
import { runsCheck, spoilCheck } from '../../../../domain/project/spoil/spoil-check.ts';

const spoiling = { command: 'sh run.sh', number: 4711 };

test('a shell script is replaced by one that fails', () => {
  expect(spoilCheck('tests/check.sh', 'true\n', spoiling)).toBe('#!/bin/sh\nexit 1\n');
});

test('files that are no known checks are left alone', () => {
  for (const path of ['sums.py', 'src/app.ts', 'tests/expected.txt', 'latest.py', 'package.json']) {
    expect([path, spoilCheck(path, 'anything', spoiling)]).toEqual([path, undefined]);
  }
  expect(spoilCheck('a.test.js', 'nothing of a test', spoiling)).toBeUndefined();
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
