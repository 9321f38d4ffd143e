import { expect, test } from '@jest/globals';
import {
  interpreterOf,
  isGivenTo,
  mayRun,
  runsByVariable,
  surelyRuns,
} from '../../../../../domain/verification/spoil/commands/named-files.ts';

const pytest = /pytest|unittest/;
const jest = /jest|node --test/;

test.each([
  ['python3 checks/verify', 'checks/verify', 'python'],
  ['python3 - < checks/verify.py', 'checks/verify.py', 'python'],
  ['python3 checks', 'checks/__main__.py', 'python'],
  ['python3 -m checks', 'checks/__main__.py', 'python'],
  ['node check', 'check', 'javascript'],
  ['cd x && sh -e tests/check', 'x/tests/check', 'shell'],
  ['cd "x" && sh tests/check', 'x/tests/check', 'shell'],
  ['cd x && sh tests/check && cd ../y && sh tests/check', 'y/tests/check', 'shell'],
  ['(cd x; sh tests/check); (cd y; sh tests/check)', 'y/tests/check', 'shell'],
  ['A=1 ./tests/check', 'tests/check', 'itself'],
  ['cat checks/verify', 'checks/verify', undefined],
  ['python3 main.py checks/verify', 'checks/verify', undefined],
])('%s: %s is run by %s', (command, path, interpreter) => {
  expect(interpreterOf(command, path)).toBe(interpreter);
});

test('a runner is given a file by its path, its module or a pattern, but not what it leaves out', () => {
  for (const [runners, command, path] of [
    [pytest, 'python3 -m pytest -q "tests/sums.py::test_add"', 'tests/sums.py'],
    [pytest, 'python3 -m unittest tests.sums.Sums.test_add', 'tests/sums.py'],
    [pytest, "python3 -m unittest discover -s tests -p 'check_*.py'", 'tests/check_sums.py'],
    [jest, "node --test 'checks/**/*.mjs'", 'checks/deep/sums.mjs'],
  ] as const)
    expect([command, isGivenTo(runners, command, path)]).toEqual([command, true]);
  for (const command of [
    'pytest --ignore tests/sums.py tests',
    'pytest --ignore=tests/sums.py',
    'pytest tests && ruff check tests/sums.py',
    "python3 -m unittest discover -s other -p '*.py'",
    'pytest tests',
  ])
    expect([command, isGivenTo(pytest, command, 'tests/sums.py')]).toEqual([command, false]);
});

test('a runner that is given places runs what is there; without any it may run all', () => {
  const path = 'tests/slow/test_sums.py';
  for (const command of [
    'pytest',
    'pytest -q -k add',
    'pytest tests/',
    'pytest .',
    'pytest a; pytest tests/slow',
    'unittest discover tests',
    'unittest tests.slow',
  ])
    expect([command, mayRun(pytest, command, path)]).toEqual([command, true]);
  for (const command of [
    'pytest tests/fast',
    'pytest fast',
    'pytest tests/slow/test_more.py',
    'unittest discover -s tests/fast',
  ])
    expect([command, mayRun(pytest, command, path)]).toEqual([command, false]);
  expect(mayRun(jest, 'npx jest sums', 'src/sums.test.js')).toBe(true);
  expect(mayRun(jest, 'npx jest more', 'src/sums.test.js')).toBe(false);
  expect(mayRun(jest, 'node node_modules/jest/bin/jest.js --ci --config jest.config.js', 'src/sums.test.js')).toBe(
    true,
  );
});

test('a program surely runs in a line of its own, or where all of a line have to succeed', () => {
  for (const command of [
    'sh a.sh',
    'true\nsh a.sh',
    'python3 b.py && sh a.sh',
    'A=1 B= sh a.sh',
    'sh a.sh >/dev/null 2>&1',
  ])
    expect([command, surelyRuns(command, 'a.sh')]).toEqual([command, true]);
  for (const command of ['sh a.sh; true', 'sh a.sh || true', 'if true; then sh a.sh; fi', 'sh a.sh | cat', 'cat a.sh'])
    expect([command, surelyRuns(command, 'a.sh')]).toEqual([command, false]);
});

test('a command runs a program by a variable in a loop, or by another program', () => {
  for (const command of [
    'for f in checks/*.py; do PYTHONPATH=. python3 "$f" || exit 1; done',
    'ls checks/*.py | xargs -n 1 python3',
    'check=checks/a.sh; sh -e $check',
  ])
    expect([command, runsByVariable(command)]).toEqual([command, true]);
  for (const command of ['python3 main.py "$HOME"', 'for f in src/*.sh; do sh -n "$f"; done', 'ls | xargs wc -l'])
    expect([command, runsByVariable(command)]).toEqual([command, false]);
});
