import { expect, test } from '@jest/globals';
import type { StepResult } from '../../../domain/project/settings.ts';
import { findUnproven } from '../../../domain/verification/red-before-green.ts';

const check = 'tests/test_sums.py';
const step = (more: Partial<StepResult>): StepResult => ({
  description: 'It adds.',
  command: 'python3 -m pytest tests',
  passed: false,
  outcome: 'exited',
  exitCode: 1,
  output: '',
  durationMs: 1,
  ...more,
});

test('what fails before the work is proof', () => {
  expect(findUnproven([step({ passed: true, exitCode: 0 }), step({})], [check])).toBeUndefined();
});

test('what passes before the work proves nothing', () => {
  expect(findUnproven([step({ passed: true, exitCode: 0 })], [check])).toBe('it passes before any work');
  expect(findUnproven([], [])).toBe('it passes before any work');
});

test('a check that is no Python proves nothing, and one that imports such a file does', () => {
  const broken = (file: string) =>
    step({
      output: `E     File "${file}", line 3\nE       def test(:\nE                ^\nE   SyntaxError: invalid syntax\n`,
    });
  expect(findUnproven([broken('/workspace/tests/test_sums.py')], [check])).toBe(`${check} cannot be read as Python`);
  expect(findUnproven([broken('/workspace/sums.py')], [check])).toBeUndefined();
  const importing = `  File "/workspace/${check}", line 1, in <module>\n    from sums import add\n${broken('/workspace/sums.py').output}`;
  expect(findUnproven([step({ output: importing })], [check])).toBeUndefined();
});

test('a check that holds no tests proves nothing', () => {
  const empty = step({ exitCode: 5, output: 'collected 0 items\n\n=== no tests ran in 0.01s ===\n' });
  expect(findUnproven([empty], [check])).toBe(`${check} holds no tests`);
  expect(findUnproven([empty], [])).toBeUndefined();
});

test('a check that Node cannot read proves nothing, unless the work may have to make it readable', () => {
  const path = 'test/sums.test.js';
  const at = (file: string, error: string, code = 'const = 1;') =>
    step({ output: `file:///workspace/${file}:3\n  ${code}\n        ^\n\nSyntaxError: ${error}\n    at compile\n` });
  const broken = `${path} cannot be read as JavaScript`;
  expect(findUnproven([at(path, "Unexpected token '='")], [path])).toBe(broken);
  expect(findUnproven([at(path, 'Unexpected end of input', '')], [path])).toBe(broken);
  expect(findUnproven([at('sums.js', "Unexpected token '='")], [path])).toBeUndefined();
  const ofWork = [
    "The requested module '../sums.js' does not provide an export named 'add'",
    "Unexpected token 'export'",
    "Unexpected token '<'",
    'Cannot use import statement outside a module',
  ];
  for (const error of ofWork) expect(findUnproven([at(path, error)], [path])).toBeUndefined();
});

test('a file without tests of jest or vitest proves nothing', () => {
  for (const output of [
    'FAIL test/sums.test.js\n  ● Test suite failed to run\n\n    Your test suite must contain at least one test.\n',
    ' FAIL  test/sums.test.js [ test/sums.test.js ]\nError: No test suite found in file /workspace/test/sums.test.js\n',
  ])
    expect(findUnproven([step({ output })], ['test/sums.test.js'])).toBe('test/sums.test.js holds no tests');
});
