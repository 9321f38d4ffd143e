import type { Git } from '../process/run-git.ts';
import type { ChangedFile } from '../repository/project-repository.ts';

export interface TreeEntry {
  mode: string;
  object: string;
}

/** A path whose entry differs between two trees. The path is in latin1: byte for byte what git stores. */
export interface TreeChange {
  path: string;
  before?: TreeEntry;
  after?: TreeEntry;
}

/** The mode of a nested repository. */
export const gitlinkMode = '160000';

/** Maximum bytes of a diff: more is of no use to a reader, a model or a log. */
const maxDiffBytes = 16 * 1024 * 1024;

/** Every path that differs; renames are not detected. */
export async function compareTrees(git: Git, from: string, to: string): Promise<TreeChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=none', from, to];
  const fields = await git.fields(args, { encoding: 'latin1' });
  const changes: TreeChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [modeBefore = '', mode = '', objectBefore = '', object = ''] = (fields[index] ?? '').slice(1).split(' ');
    const change: TreeChange = { path: fields[index + 1] ?? '' };
    if (modeBefore !== '000000') change.before = { mode: modeBefore, object: objectBefore };
    if (mode !== '000000') change.after = { mode, object };
    changes.push(change);
  }
  return changes;
}

/** The files that changed; renames are detected by content. */
export async function changedFiles(git: Git, from: string, to: string): Promise<ChangedFile[]> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--name-status',
    '-M',
    '--ignore-submodules=none',
    '--end-of-options',
    from,
    to,
  ];
  const fields = await git.fields(args);
  const files: ChangedFile[] = [];
  for (let index = 0; index < fields.length; ) {
    const status = fields[index] ?? '';
    const path = fields[index + 1] ?? '';
    if (status.startsWith('R')) {
      files.push({ path: fields[index + 2] ?? '', change: 'renamed', previousPath: path });
      index += 3;
    } else {
      files.push({ path, change: status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'modified' });
      index += 2;
    }
  }
  return files;
}

/** By commit, the files that it changed against its first parent: one process for any number of commits. */
export async function filesOfCommits(git: Git, commits: string[]): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>(commits.map((commit) => [commit, []]));
  if (commits.length === 0) return files;
  const form = ['--no-walk=unsorted', '--diff-merges=first-parent', '--no-renames', '--name-only', '-z', '--format=%H'];
  let ofCommit: string[] | undefined;
  for (const field of await git.fields(['log', ...form, '--end-of-options', ...files.keys()])) {
    const begun = files.get(field);
    if (begun) ofCommit = begun;
    else ofCommit?.push(field.replace(/^\n/, '')); // a newline follows the commit's line
  }
  return files;
}

/** A unified diff (or a diffstat), cut with a note after 16 MiB. */
export async function diffTrees(
  git: Git,
  from: string,
  to: string,
  { stat = false }: { stat?: boolean } = {},
): Promise<string> {
  const form = stat ? ['--stat=120'] : ['-p'];
  const args = ['diff-tree', '-r', '-M', '--no-ext-diff', '--no-textconv', '--ignore-submodules=none', ...form];
  const result = await git.run([...args, '--end-of-options', from, to], { maxBytes: maxDiffBytes, cut: true });
  const text = result.stdout.toString('utf8');
  return result.truncated ? `${text}\n[the diff is longer; cut after ${maxDiffBytes} bytes]\n` : text;
}
