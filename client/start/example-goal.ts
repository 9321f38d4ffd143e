import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../config/package-root.ts';

/** The example project that ships with Longhaul. */
export const exampleName = 'spend';

export async function readExampleGoal(): Promise<string> {
  return (await readFile(join(packageRoot(), 'examples', exampleName, 'goal.md'), 'utf8')).trim();
}
