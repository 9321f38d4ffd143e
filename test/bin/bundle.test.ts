import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';

const folder = join(packageRoot(), 'dist', 'command-line');

test('a file of the bundled command line would not load, which only the command that needs it would show', async () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.js') && name !== 'main.js');
  expect(files.length).toBeGreaterThan(10);
  const imports = files.map((name) => `await import(${JSON.stringify(join(folder, name))});`).join('\n');
  const { exitCode } = await execa(process.execPath, ['--input-type=module', '-e', imports], {
    env: { NODE_OPTIONS: '' },
  });
  expect(exitCode).toBe(0);
});
