import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file so that a reader sees either the old content or the new, and a kill in between leaves the old. Readable by this user alone unless a
 * mode is given.
 */
export function writeFileAtomically(path: string, content: string, mode = 0o600): void {
  const temporary = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(temporary, content, { mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
