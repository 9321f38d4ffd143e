import { maxGoalLength } from '../../domain/project/messages.ts';
import { ClientError } from '../errors.ts';

/**
 * Returns the goal trimmed.
 * @throws {ClientError} `InvalidInput` if it is empty or too long.
 */
export function checkGoal(goal: string, origin = 'the goal'): string {
  const text = goal.trim();
  if (!text) {
    throw new ClientError(
      'InvalidInput',
      `Expected a goal, but ${origin} is empty. Say what is to be built: \`longhaul start "a command-line tool that ..."\`, or --file goal.md.`,
    );
  }
  if (text.length > maxGoalLength) {
    throw new ClientError(
      'InvalidInput',
      `Expected a goal of at most ${maxGoalLength.toLocaleString('en')} characters, but ${origin} has ${text.length.toLocaleString('en')}. Put long material into the project's folder and refer to it in the goal.`,
    );
  }
  return text;
}
