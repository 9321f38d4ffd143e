import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stackId } from '../config/stack-id.ts';
import { SetupError } from './setup-error.ts';

/**
 * Creates the data folder, and in it the folders that are private to this user. As root, the data folder itself may be passed through (not listed) by
 * others, since Postgres runs as a user of its own.
 * @throws {SetupError} `HomeNotWritable`
 */
export function prepareHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    stackId(home); // created now, while the folder is new
    for (const folder of ['logs', 'cache', 'temporal']) mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK);
  } catch (error) {
    throw new SetupError(
      'HomeNotWritable',
      `Could not write in Longhaul's data folder ${home}: ${(error as Error).message}. Name another with LONGHAUL_HOME.`,
      { cause: error },
    );
  }
}
