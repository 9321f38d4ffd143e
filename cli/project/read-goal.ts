import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ClientError } from '../../client/errors.ts';
import { checkFeatures, checkGoal } from '../../client/start/check-goal.ts';
import type { Proposal } from '../../domain/project/proposal.ts';
import { asText } from '../program/as-text.ts';

/**
 * The goal from the command line or from a file.
 * @throws {ClientError} `InvalidInput` if there is none, there are two, or it is not usable.
 */
export async function readGoal(folder: string, goal: string | undefined, file: string | undefined): Promise<string> {
  if (goal !== undefined && file !== undefined) {
    throw new ClientError('InvalidInput', 'Expected a goal or --file, got both. Put the whole goal into the file.');
  }
  if (file === undefined) return checkGoal(goal ?? '');
  return checkGoal(await readText(resolve(folder, file), 'the goal'), file);
}

/** @throws {ClientError} `InvalidInput` if the file cannot be read, or is no text. */
export async function readText(path: string, what: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is none' : code === 'EISDIR' ? 'it is a folder' : (cause as Error).message;
    throw new ClientError('InvalidInput', `Expected ${what} in the file ${path}, but ${why}.`, { cause });
  }
  return asText(bytes, `in ${path}`);
}

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
