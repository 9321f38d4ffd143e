import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Git } from '../process/run-git.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { requireCommit } from '../tree/refs.ts';

/** What a new clone has, whatever the person's configuration says. */
const asInClone = ['core.autocrlf=false', 'core.eol=lf', 'core.symlinks=true'].flatMap((setting) => ['-c', setting]);

/** SHA-256 sums of files of a commit; see `ProjectRepository.checkedOutSums`. */
export async function checkedOutSums(git: Git, revision: string, paths: string[]): Promise<Map<string, string>> {
  const commit = await requireCommit(git, revision);
  const folder = await makeTemporaryFolder('sums');
  try {
    const tree = join(folder, 'tree');
    await mkdir(tree);
    const index = git.with({ GIT_INDEX_FILE: join(folder, 'index') });
    await index.run(['read-tree', commit]);
    // Git looks for attributes in the working directory first, so that has to be one without any.
    const input = paths.map((path) => `${path}\0`).join('');
    await index.run([...asInClone, `--work-tree=${tree}`, 'checkout-index', '-q', '-z', '--stdin'], { input });
    const sums = new Map<string, string>();
    for (const path of paths) {
      const file = join(tree, path);
      if ((await lstat(file)).isFile()) sums.set(path, await sumOf(file));
    }
    return sums;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
