import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Distinguishes the data folders of one machine in names outside them, such as folders of Postgres. */
export function homeHash(home: string): string {
  return hash(home);
}

/**
 * Labels the containers of a data folder, 12 hexadecimal digits. It differs between folders with the same path on machines that share a container
 * host, and between a folder and its copy. Created when it is first asked for.
 */
export function stackId(home: string): string {
  const file = join(home, 'stack-id');
  if (!existsSync(file)) writeOnce(home, file, randomBytes(16).toString('hex'));
  return hash(`${home}\n${readFileSync(file, 'utf8')}`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** If two processes write at once, both continue with what the first wrote; a killed process never leaves half a file. */
function writeOnce(home: string, file: string, content: string): void {
  const partial = `${file}.${process.pid}.partial`;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(partial, content, { mode: 0o600 });
    linkSync(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}
