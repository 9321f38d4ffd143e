import { areModelNames } from '../../domain/model/model-name.ts';
import { ClientError } from '../errors.ts';

/** @throws {ClientError} `InvalidInput` if the text names no model, or a name begins or ends with "/". */
export function expectModelNames(names: string): void {
  if (areModelNames(names)) return;
  throw new ClientError(
    'InvalidInput',
    `Expected the name of a model, such as openai/gpt-5, or several by commas, got ${JSON.stringify(names.slice(0, 200))}.`,
  );
}
