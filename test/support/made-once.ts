import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../../setup/home-lock.ts';

/** The path of what all files of this test run share: `make` makes it, in the first file that asks. */
export async function madeOnce(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const run = process.env.LONGHAUL_TEST_RUN;
  if (run === undefined) throw new Error('Expected LONGHAUL_TEST_RUN from begin-run.mjs, which jest.config.js names.');
  const path = join(run, name);
  if (existsSync(path)) return path;
  return withLock(`${path}.lock`, {}, async () => {
    if (existsSync(path)) return path;
    await make(`${path}.partial`);
    await rename(`${path}.partial`, path);
    return path;
  });
}
