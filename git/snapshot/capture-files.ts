import { gitErrors } from '../error-messages.ts';
import type { Git } from '../process/run-git.ts';
import type { TreeEntry } from '../tree/compare-trees.ts';
import { createLook } from '../working-tree/look-at-files.ts';

/** Updates an index with these paths (latin1) of the working directory, without filters; symbolic links are recorded as links. */
export async function captureFiles(git: Git, paths: string[]): Promise<void> {
  const look = createLook(git.folder, paths);
  const present: string[] = [];
  const absent: Array<{ path: string }> = [];
  for (const path of paths) {
    if ((await look(path)).kind === 'file') present.push(path);
    else absent.push({ path });
  }
  await setEntries(git, absent);
  if (present.length === 0) return;
  const input = Buffer.from(present.map((path) => `${path}\0`).join(''), 'latin1');
  await updateIndex(git, ['--add', '--remove', '--replace', '-z', '--stdin'], input);
}

/** Writes the given entries into an index; a path (latin1) without an entry is removed. */
export async function setEntries(
  git: Git,
  entries: Array<{ path: string; entry?: TreeEntry | undefined }>,
): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map(({ path, entry }) => `${entry?.mode ?? '0'} ${entry?.object ?? git.nullObject}\t${path}\0`);
  // Removals first: a folder may become a file of the same name.
  lines.sort((left, right) => Number(right.startsWith('0 ')) - Number(left.startsWith('0 ')));
  const input = Buffer.from(lines.join(''), 'latin1');
  await updateIndex(git, ['--add', '--replace', '-z', '--index-info'], input);
}

async function updateIndex(git: Git, args: string[], input: Buffer): Promise<void> {
  const { stderr } = await git.run(['update-index', ...args], { input });
  // Git skips a path that no checkout may write, such as .git/config, and still succeeds.
  const ignored = /^Ignoring path (.*)$/m.exec(stderr)?.[1];
  if (ignored !== undefined) throw gitErrors.invalidPath(ignored);
}
