import { dirname, join } from 'node:path';
import { exists } from '../process/exists.ts';
import { openGit } from '../repository/open-project-repository.ts';

/**
 * The paths below a folder that the repository it is in does not ignore; undefined if it is in none. Submodules and repositories among the files end
 * with a slash or are folders.
 */
export async function listUnignored(folder: string): Promise<string[] | undefined> {
  const top = await findTop(folder);
  if (top === undefined) return undefined;
  const { git } = await openGit({ folder: top });
  return git.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: folder });
}

async function findTop(folder: string): Promise<string | undefined> {
  for (let place = folder; ; place = dirname(place)) {
    if (await exists(join(place, '.git'))) return place;
    if (place === dirname(place)) return undefined;
  }
}
