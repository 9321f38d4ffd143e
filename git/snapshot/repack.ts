import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../process/run-git.ts';

/** Like git's own `gc.autoPackLimit`: reading an object searches every pack, and each imported snapshot leaves one. */
const manyPacks = 50;

/** Combines small packs into larger ones when there are many; deletes no object, reachable or not. */
export async function repackWhenMany(git: Git, objects: string): Promise<void> {
  const packs = (await readdir(join(objects, 'pack'))).filter((name) => name.endsWith('.pack'));
  if (packs.length <= manyPacks) return;
  await git.run(['repack', '-d', '-l', '-q', '--geometric=2']);
}
