import { resolve } from 'node:path';
import { ClientError } from '../../client/errors.ts';
import { checkFeatures } from '../../client/start/check-features.ts';
import type { Proposal } from '../../domain/project/proposal.ts';
import { readText } from './read-goal.ts';

/** @throws {ClientError} `InvalidInput` if the file is missing, is not JSON, or is not a usable list of features. */
export async function readFeaturesFile(folder: string, file: string): Promise<Proposal> {
  const path = resolve(folder, file);
  const text = await readText(path, 'a list of features');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ClientError('InvalidInput', `Expected JSON in ${path}: ${(cause as Error).message}.`, { cause });
  }
  return checkFeatures(value, path);
}
