import { join } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { readablePath } from '../working-tree/look-at-files.ts';
import { exists } from './exists.ts';
import type { ConfigEntry } from './read-config.ts';
import type { Git } from './run-git.ts';

/** Names of the filters that the person's git runs, as far as the configuration read here shows. */
export function filtersOf(entries: ConfigEntry[]): Set<string> {
  const names = entries.map(({ key }) => /^filter\.(.*)\.(clean|smudge|process)$/s.exec(key)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

/**
 * With a filter, git commits something other than what lies in the working directory; Longhaul, which runs no filters, would commit the files as they
 * lie there and write back the filtered content.
 * @throws {GitError} FilteredFiles if files of the working directory have one of these filters, or are kept by git-lfs.
 */
export async function refuseFilters(git: Git, filters: Set<string>): Promise<void> {
  const used = new Set(filters);
  if (await exists(join(git.gitFolder, 'lfs'))) used.add('lfs'); // it may be set up system-wide, in a configuration that is not read
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
  if (filtered.length > 0) throw gitErrors.filteredFiles(git.folder, filtered);
}
