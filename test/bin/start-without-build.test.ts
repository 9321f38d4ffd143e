import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-bin-'));
  cpSync(join(packageRoot(), 'bin'), join(folder, 'bin'), { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'tiny', version: '1.0.0', private: true, type: 'module' }),
  );
  writeLock('1.0.0');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A lock file without dependencies: npm installs it without asking a registry. */
function writeLock(version: string): void {
  const packages = { '': { name: 'tiny', version } };
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'tiny', version, lockfileVersion: 3, requires: true, packages }),
  );
}

const runBin = (name: string, ...parameters: string[]) =>
  execa('node', [join(folder, 'bin', name), ...parameters], { cwd: folder, reject: false, all: true });

test('longhaul before the first build would end in a stack trace', async () => {
  const { exitCode, all } = await runBin('longhaul.mjs', 'list');
  expect(exitCode).toBe(1);
  expect(all).toBe(
    'Longhaul is not built yet. Run npm start (sets up, then shows the example) or npm run setup (sets up) in its folder.',
  );
});

test('dependencies would be installed again each time, or not again after the lock file changed', async () => {
  const first = await runBin('setup.mjs', 'dependencies');
  expect(first.all).toMatch(/✓ dependencies\s+npm ci\s+\d+\.\d s/);
  const second = await runBin('setup.mjs', 'dependencies');
  expect(second.all).toMatch(/✓ dependencies\s+node_modules matches package-lock.json\s+already there/);
  writeLock('1.0.1');
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'tiny', version: '1.0.1', private: true, type: 'module' }),
  );
  const third = await runBin('setup.mjs', 'dependencies');
  expect(third.all).toMatch(/✓ dependencies\s+npm ci/);
});

test('two set-ups at once would install over each other', async () => {
  const both = await Promise.all([runBin('setup.mjs', 'dependencies'), runBin('setup.mjs', 'dependencies')]);
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const output = both.map(({ all }) => all).join('\n');
  expect(output.match(/npm ci/g)).toHaveLength(1);
  expect(output).toMatch(/waiting for another set-up, process \d+/);
});

test('npm test would end without its count where set-up fails', async () => {
  rmSync(join(folder, 'package-lock.json'));
  const { exitCode, stdout } = await runBin('test.mjs');
  expect(exitCode).toBe(1);
  expect(stdout.trim().split('\n').at(-1)).toBe('0 passed, 1 failed');
});

test('CI would pass, or end without its count, where a check or a test fails', async () => {
  cpSync(join(packageRoot(), '.ci'), join(folder, '.ci'), { recursive: true });
  const ci = async (check: string, tests: string) => {
    const scripts = { check, test: tests };
    const contents = { name: 'tiny', version: '1.0.0', private: true, type: 'module', scripts };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(contents));
    const { exitCode, stdout } = await execa('bash', [join(folder, '.ci', 'run')], { reject: false, stdin: 'ignore' });
    return { exitCode, last: stdout.trim().split('\n').at(-1) };
  };
  expect(await ci('true', 'echo "3 passed, 0 failed"')).toEqual({ exitCode: 0, last: '3 passed, 0 failed' });
  expect(await ci('exit 2', 'echo "3 passed, 0 failed"')).toEqual({ exitCode: 2, last: '3 passed, 1 failed' });
  expect(await ci('true', 'echo "2 passed, 1 failed"; exit 1')).toEqual({ exitCode: 1, last: '2 passed, 1 failed' });
  expect(await ci('true', 'echo crashed; exit 7')).toMatchObject({
    exitCode: expect.any(Number),
    last: '0 passed, 1 failed',
  });
});
