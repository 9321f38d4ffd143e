import type { Git } from '../process/run-git.ts';
import type { LogEntry } from '../repository/project-repository.ts';
import { requireCommit } from './refs.ts';

/** The commits reachable from a revision, newest first. */
export async function readLog(git: Git, revision: string, limit = 50): Promise<LogEntry[]> {
  const commit = await requireCommit(git, revision);
  const format = '--format=%H%x00%cI%x00%s%x00%(trailers:only=true,unfold=true)';
  const fields = await git.fields([
    'log',
    '-z',
    '--no-notes',
    '--no-show-signature',
    `-n${limit}`,
    format,
    commit,
    '--',
  ]);
  const entries: LogEntry[] = [];
  for (let index = 0; index + 3 < fields.length; index += 4) {
    const [id = '', date = '', subject = '', trailers = ''] = fields.slice(index, index + 4);
    entries.push({ commit: id, date, subject, trailers: parseTrailers(trailers) });
  }
  return entries;
}

function parseTrailers(text: string): Record<string, string> {
  const trailers: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) trailers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return trailers;
}

/** A file's content at a commit; undefined if nothing is at the path, or a folder, link or submodule. */
export async function readFileAt(git: Git, revision: string, path: string): Promise<Buffer | undefined> {
  const commit = await requireCommit(git, revision);
  if (path.includes('\0') || path.split('/').some((name) => ['', '.', '..'].includes(name))) return undefined;
  const [line = ''] = await git.fields(['ls-tree', '-z', '--full-tree', commit, '--', path]);
  const [, mode, object, found] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
  if (object === undefined || mode === '120000' || found !== path) return undefined;
  return (await git.run(['cat-file', 'blob', object])).stdout;
}

/** Lists the paths of all entries in a commit; a list is kept, since one verification asks for the same several times. */
export function createListing(git: Git): (revision: string) => Promise<string[]> {
  const lists = new Map<string, string[]>();
  return async (revision) => {
    const commit = await requireCommit(git, revision);
    const paths =
      lists.get(commit) ?? (await git.fields(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]));
    lists.set(commit, paths);
    return paths;
  };
}

export async function treeOf(git: Git, revision: string): Promise<string> {
  return git.text(['rev-parse', '--verify', `${await requireCommit(git, revision)}^{tree}`]);
}
