import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeHash } from './home-hash.ts';

/** What Longhaul creates in a data folder while it works, always after the stack id. */
const traces = ['logs', 'lancedb', 'projects', 'chats'];

/**
 * Labels the containers of a data folder, 12 hexadecimal digits. It differs between folders with the same path on machines that share a container
 * host, and between a folder and its copy. Created when a new folder is first asked for it; a folder in use since before there were ids keeps the
 * hash of its path, which its containers are labelled with.
 */
export function stackId(home: string): string {
  const file = join(home, 'stack-id');
  const wasAtWork = traces.some((name) => existsSync(join(home, name))); // checked first: they are created after the id
  if (!existsSync(file)) {
    if (wasAtWork) return homeHash(home);
    writeOnce(file, randomBytes(16).toString('hex'));
  }
  return createHash('sha256')
    .update(`${home}\n${readFileSync(file, 'utf8')}`)
    .digest('hex')
    .slice(0, 12);
}

/** If two processes write at once, both go on with what the first wrote; a killed process never leaves half a file. */
function writeOnce(file: string, content: string): void {
  const own = `${file}.${process.pid}.partial`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(own, content, { mode: 0o600 });
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}
