import { promptNames } from '../../agents/prompt-names.ts';
import { InvalidInputError } from '../errors.ts';

/**
 * The prompts named, or all where none is.
 * @throws {InvalidInputError} where one is named that there is not.
 */
export function choosePrompts(names: string[]): string[] {
  const unknown = names.filter((name) => !promptNames.includes(name));
  if (unknown.length) {
    throw new InvalidInputError(`Expected prompts among ${promptNames.join(', ')}, got ${unknown.join(', ')}.`);
  }
  return names.length ? names : promptNames;
}
