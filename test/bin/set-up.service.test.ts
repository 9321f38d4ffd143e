import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';

const home = mkdtempSync(join(tmpdir(), 'longhaul-set-up-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('npm run setup uses the Postgres of the environment file', async () => {
  writeFileSync(join(home, '.env'), 'LONGHAUL_MEMORY_SUMMARIES=many\n'); // refused by whatever reads it, before anything is set up
  const root = JSON.stringify(packageRoot());
  const script = `const { setUp } = await import(${JSON.stringify(join(packageRoot(), 'bin', 'set-up.mjs'))}); await setUp(${root});`;
  const { exitCode, stderr } = await execa(process.execPath, ['--input-type=module', '-e', script], {
    env: { LONGHAUL_HOME: home, NODE_OPTIONS: '' },
    reject: false,
  });
  expect(stderr).toContain('LONGHAUL_MEMORY_SUMMARIES: expected a whole number from 0 to 999, got "many"');
  expect(exitCode).toBe(1);
});
