import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stackId } from '../config/stack-id.ts';
import { SetupError } from './setup-error.ts';

/** Made now, since whoever writes there first would leave them open to those who know their names. */
const folders = ['logs', 'cache', 'temporal', 'lancedb', 'chats', 'recordings', 'projects'];

/**
 * Creates the data folder, and in it the folders that are private to this user; closes to others what an earlier version or a copy left open. As root,
 * the data folder itself may be passed through (not listed) by others, since Postgres runs as a user of its own.
 * @throws {SetupError} `HomeNotWritable`
 */
export function prepareHome(home: string): void {
  try {
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    mkdirSync(home, { recursive: true, mode });
    stackId(home); // created now, while the folder is new
    for (const folder of folders) mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK);
    close(home, mode);
    for (const entry of readdirSync(home, { withFileTypes: true }))
      if (entry.name !== 'postgres' && (entry.isDirectory() || entry.isFile())) close(join(home, entry.name), 0o700);
  } catch (error) {
    throw new SetupError(
      'HomeNotWritable',
      `Could not write in Longhaul's data folder ${home}: ${(error as Error).message}. Name another with LONGHAUL_HOME.`,
      { cause: error },
    );
  }
}

/** Takes all rights but these from a file or folder, and gives none. */
function close(path: string, mode: number): void {
  const now = statSync(path).mode & 0o777;
  if ((now & mode) !== now) chmodSync(path, now & mode);
}
