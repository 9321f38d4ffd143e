import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ClientError } from '../../client/errors.ts';
import { checkGoal } from '../../client/start/check-goal.ts';

/**
 * The goal from the command line or from a file.
 * @throws {ClientError} `InvalidInput` if there is none, there are two, or it is not usable.
 */
export async function readGoal(folder: string, goal: string | undefined, file: string | undefined): Promise<string> {
  if (goal !== undefined && file !== undefined) {
    throw new ClientError('InvalidInput', 'Expected a goal or --file, got both. Put everything into the file.');
  }
  if (file === undefined) return checkGoal(goal ?? '');
  return checkGoal(await readText(resolve(folder, file), 'the goal'), file);
}

/** @throws {ClientError} `InvalidInput` if the file cannot be read. */
export async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is none' : code === 'EISDIR' ? 'it is a folder' : (cause as Error).message;
    throw new ClientError('InvalidInput', `Expected ${what} in the file ${path}, but ${why}.`, { cause });
  }
}
