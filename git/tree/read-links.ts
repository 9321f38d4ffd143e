import type { Git } from '../process/run-git.ts';
import { requireCommit } from './refs.ts';

const linkMode = '120000';

/** The symbolic links of a commit, and what each points to as it is written. No map: names that are not UTF-8 may look the same. */
export async function readLinks(git: Git, revision: string): Promise<Array<[path: string, target: string]>> {
  const commit = await requireCommit(git, revision);
  const entries = await git.fields(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const links = entries.flatMap((entry) => {
    const [, mode, object = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    return mode === linkMode ? [{ path, object }] : [];
  });
  const targets = await readBlobs(
    git,
    links.map(({ object }) => object),
  );
  return links.map(({ path }, index) => [path, targets[index] ?? '']);
}

/** The contents of blobs, in one process. */
async function readBlobs(git: Git, objects: string[]): Promise<string[]> {
  if (objects.length === 0) return [];
  const input = objects.map((object) => `${object}\n`).join('');
  const { stdout } = await git.run(['cat-file', '--batch'], { input });
  const contents: string[] = [];
  for (let place = 0; place < stdout.length; ) {
    const lineEnd = stdout.indexOf('\n', place);
    const size = Number(stdout.toString('utf8', place, lineEnd).split(' ')[2]);
    contents.push(stdout.toString('utf8', lineEnd + 1, lineEnd + 1 + size));
    place = lineEnd + 1 + size + 1;
  }
  return contents;
}
