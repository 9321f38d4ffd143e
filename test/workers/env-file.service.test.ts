import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';

const home = mkdtempSync(join(tmpdir(), 'longhaul-worker-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('a worker in a container reads the environment file of its data folder', async () => {
  writeFileSync(join(home, '.env'), 'FROM_FILE=seen\nFROM_BOTH=file\n');
  writeFileSync(
    join(home, 'longhaul.config.mjs'),
    'throw new Error(JSON.stringify([process.env.FROM_FILE, process.env.FROM_BOTH]));',
  );
  const program = join(packageRoot(), 'dist', 'workers', 'main.js');
  const run = (...parameters: string[]) =>
    execa(process.execPath, [program, ...parameters], {
      env: { LONGHAUL_HOME: home, FROM_BOTH: 'environment', NODE_OPTIONS: '' },
      reject: false,
    });
  expect(await run('--env-file')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('["seen","environment"]'),
  });
  // A worker started by `longhaul up` gets its variables from there and does not read the file.
  expect(await run()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('[null,"environment"]') });
});
