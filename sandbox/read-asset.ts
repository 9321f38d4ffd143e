import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirectorySync } from 'package-directory';

/** The text of a file that ships in `sandbox/`, such as `docker/scripts/run.sh`; the same from source and from `dist`. */
export function readAsset(path: string): string {
  const root = packageDirectorySync({ cwd: import.meta.dirname });
  if (root === undefined) throw new Error(`Expected a package.json above ${import.meta.dirname}, found none.`);
  return readFileSync(join(root, 'sandbox', path), 'utf8');
}
