import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeHash } from './home-hash.ts';

/** Made by Longhaul at work in a data folder, each of them after the id. */
const traces = ['logs', 'lancedb', 'projects', 'chats'];

/**
 * What labels the containers of a data folder, 12 hexadecimal digits: two folders of one path, on machines that share a container
 * host, have different ones, and so has a copy. Made when a new folder is first asked for it. One that was at work before there were ids
 * keeps the hash of its path, by which its containers are known.
 */
export function stackId(home: string): string {
  const file = join(home, 'stack-id');
  const wasAtWork = traces.some((name) => existsSync(join(home, name))); // looked at first: they come after the id
  if (!existsSync(file)) {
    if (wasAtWork) return homeHash(home);
    writeOnce(file, randomBytes(16).toString('hex'));
  }
  return createHash('sha256')
    .update(`${home}\n${readFileSync(file, 'utf8')}`)
    .digest('hex')
    .slice(0, 12);
}

/** Of two processes that write at once, both go on with what the first wrote; a kill leaves no half of it. */
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
