import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';

const folder = join(packageRoot(), 'dist', 'programs');
/** Files that run something when they are imported. */
const started = ['main.js', 'check-worker.js', 'prepare.js', 'workflow-worker-thread.js'];
const run = (...parameters: string[]) =>
  execa(process.execPath, parameters, { env: { NODE_OPTIONS: '' }, reject: false });

test.each([
  ['command-line', 11],
  ['cluster', 1],
  ['stack', 2],
  ['worker', 5],
])('a file of the bundled %s would not load, which only what needs it late would show', async (program, least) => {
  const files = readdirSync(join(folder, program)).filter((name) => name.endsWith('.js') && !started.includes(name));
  expect(files.length).toBeGreaterThanOrEqual(least);
  const imports = files.map((name) => `await import(${JSON.stringify(join(folder, program, name))});`).join('\n');
  expect(await run('--input-type=module', '-e', imports)).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a package of CommonJS that is imported late would come without its names', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && !started.includes(basename(name)),
  );
  const nameless = files.filter((name) => /export default require_/.test(readFileSync(join(folder, name), 'utf8')));
  expect(nameless).toEqual([]);
});

test('a stack that a bundled program tells would not say where in the sources it went wrong', async () => {
  const main = join(folder, 'scripted-model', 'main.js');
  const { exitCode, stderr } = await run(
    '--enable-source-maps',
    main,
    '--script',
    join(packageRoot(), 'no-such-folder'),
  );
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/at (async )?\w+ \(.*\/testing\/scripted-model\/load-script\.ts:\d+:\d+\)/);
});

test('a worker would not say where in the sources it went wrong', async () => {
  const home = mkdtempSync(join(tmpdir(), 'longhaul-worker-'));
  const main = join(folder, 'worker', 'main.js');
  const nobody = { ...process.env, LONGHAUL_HOME: home, TEMPORAL_ADDRESS: '127.0.0.1:1', NODE_OPTIONS: '' };
  const { exitCode, stderr } = await execa(process.execPath, [main], { env: nobody, extendEnv: false, reject: false });
  rmSync(home, { recursive: true });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/at async runWorker \(.*\/workers\/run-worker\.ts:\d+:\d+\)/);
});
