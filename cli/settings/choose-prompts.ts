import { promptNames } from '../../agents/prompt-names.ts';
import { ClientError } from '../../client/errors.ts';

/**
 * The named prompts, or all if none is named.
 * @throws {ClientError} `InvalidInput` if a named prompt does not exist.
 */
export function choosePrompts(names: string[]): string[] {
  const unknown = names.filter((name) => !promptNames.includes(name));
  if (unknown.length) {
    throw new ClientError(
      'InvalidInput',
      `Expected prompts among ${promptNames.join(', ')}, got ${unknown.join(', ')}.`,
    );
  }
  return names.length ? names : promptNames;
}
