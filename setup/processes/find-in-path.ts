import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The file that a shell would run for this command; undefined where there is none. */
export async function findInPath(command: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, command);
    const usable = await access(file, constants.X_OK).then(
      () => true,
      () => false, // not there or not ours to run: a shell goes on looking too
    );
    if (usable) return file;
  }
  return undefined;
}
