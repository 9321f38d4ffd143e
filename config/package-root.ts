import { packageDirectorySync } from 'package-directory';

/** The folder of Longhaul's package.json, which holds the prompts, migrations and the Dockerfile; the same from source and from `dist`. */
export function packageRoot(): string {
  const folder = packageDirectorySync({ cwd: import.meta.dirname });
  if (folder === undefined) throw new Error(`Expected a package.json above ${import.meta.dirname}, found none.`);
  return folder;
}
