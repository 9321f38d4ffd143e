import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../process/run-git.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { setEntries } from '../snapshot/capture-files.ts';

/** Writes a tree of these files on top of an optional base tree; see `ProjectRepository.writeTree`. */
export async function writeTree(
  git: Git,
  files: Array<{ path: string; content: string; executable?: boolean }>,
  baseTree?: string,
): Promise<string> {
  const folder = await makeTemporaryFolder('tree');
  try {
    const contents = await Promise.all(
      files.map(async ({ content }, index) => {
        const file = join(folder, String(index));
        await writeFile(file, content);
        return file;
      }),
    );
    const input = contents.map((file) => `${file}\n`).join('');
    const objects = (await git.text(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input })).split('\n');
    const index = git.with({ GIT_INDEX_FILE: join(folder, 'index') });
    await index.run(['read-tree', baseTree ?? '--empty']);
    const entries = files.map(({ path, executable }, position) => ({
      path: Buffer.from(path, 'utf8').toString('latin1'),
      entry: { mode: executable ? '100755' : '100644', object: objects[position] ?? '' },
    }));
    await setEntries(index, entries);
    return await index.text(['write-tree']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The empty tree; written, since some git commands require it to exist. */
export async function emptyTree(git: Git): Promise<string> {
  return git.text(['hash-object', '-w', '-t', 'tree', '--stdin'], { input: '' });
}
