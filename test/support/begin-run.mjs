import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Before the first file: a folder for what the files of one run share, which `end-run.mjs` removes; `npm test` gives one that it removes itself. */
export default async function beginRun() {
  process.env.LONGHAUL_TEST_RUN ??= await mkdtemp(join(tmpdir(), 'longhaul-test-run-'));
}
