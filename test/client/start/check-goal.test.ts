import { expect, test } from '@jest/globals';
import { checkGoal } from '../../../client/start/check-goal.ts';
import { maxGoalLength } from '../../../domain/project/messages.ts';

test('an empty goal is refused with what to type', () => {
  expect(() => checkGoal(' \n\t')).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
  expect(() => checkGoal('')).toThrow(/the goal is empty. Describe what to build: `longhaul start/);
});

test('a goal that is too long is refused with both lengths', () => {
  expect(() => checkGoal('x'.repeat(maxGoalLength + 1), 'goal.md')).toThrow(
    'Expected a goal of at most 100,000 characters, but goal.md has 100,001. Put long material into the project',
  );
  expect(checkGoal('x'.repeat(maxGoalLength))).toHaveLength(maxGoalLength);
});

test('white space around a goal is removed', () => {
  expect(checkGoal('\n  a program \n')).toBe('a program');
});
