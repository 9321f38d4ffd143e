import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of Longhaul's package.json, which holds the prompts, migrations and the Dockerfile; the same from source and from `dist`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(`Expected a package.json above ${fileURLToPath(import.meta.url)}, found none.`);
    folder = parent;
  }
  return folder;
}
