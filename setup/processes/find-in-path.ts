import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The file that a shell would run for this command; undefined if there is none. */
export async function findInPath(command: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, command);
    const usable = await access(file, constants.X_OK).then(
      () => true,
      () => false, // missing or not executable by us: a shell continues its search too
    );
    if (usable) return file;
  }
  return undefined;
}
