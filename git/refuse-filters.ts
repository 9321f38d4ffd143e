import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { FilteredFilesError } from './errors.ts';
import { readablePath } from './look-at-files.ts';
import type { ConfigEntry } from './read-config.ts';
import type { Git } from './run-git.ts';

/** The filters that the person's git runs, by the configuration that can be seen. */
export function filtersOf(entries: ConfigEntry[]): Set<string> {
  const names = entries.map(({ key }) => /^filter\.(.*)\.(clean|smudge|process)$/s.exec(key)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

/**
 * Raises `FilteredFilesError` where files of the working directory have one of these filters, or are kept by git-lfs: git commits
 * something else than what lies there, and Longhaul, which runs no filters, would commit that and write back what was committed.
 */
export async function refuseFilters(git: Git, filters: Set<string>): Promise<void> {
  const used = new Set(filters);
  if (await isThere(join(git.gitFolder, 'lfs'))) used.add('lfs'); // set up for the whole system, which is not looked at
  if (used.size === 0) return;
  const paths = await git.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'latin1',
  });
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  const fields = await git.fields(['check-attr', '--stdin', '-z', 'filter'], { input, encoding: 'latin1' });
  const filtered: string[] = [];
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = '', , filter = ''] = fields.slice(index, index + 3);
    if (used.has(filter)) filtered.push(readablePath(path));
  }
  if (filtered.length > 0) throw new FilteredFilesError(git.folder, filtered);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
