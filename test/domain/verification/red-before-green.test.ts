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
