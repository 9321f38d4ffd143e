import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { packageRoot } from '../../config/package-root.ts';
import { waitFor } from '../support/wait-for.ts';

describe('npm run setup', () => {
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
});

describe('without a build', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'longhaul-bin-'));
    cpSync(join(packageRoot(), 'bin'), join(folder, 'bin'), { recursive: true });
    writePackage('1.0.0');
    writeLock('1.0.0');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function writePackage(version: string, scripts: Record<string, string> = {}): void {
    const contents = { name: 'tiny', version, private: true, type: 'module', scripts };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(contents));
  }

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

  test('before the first build `longhaul` says how to build', async () => {
    const { exitCode, all } = await runBin('longhaul.cjs', 'list');
    expect(exitCode).toBe(1);
    expect(all).toBe(
      'Longhaul is not built yet. Run npm start (sets up, then shows the example) or npm run setup (sets up) in its folder.',
    );
  });

  test('dependencies are installed once per lock file, without GPU parts of the embedding runtime; a killed installation does not count', async () => {
    writePackage('1.0.0', { preinstall: 'echo $ONNXRUNTIME_NODE_INSTALL > asked' });
    const first = await runBin('setup.mjs', 'dependencies');
    expect(first.all).toMatch(/✓ dependencies\s+npm ci\s+\d+\.\d s/);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('skip\n');
    const second = await runBin('setup.mjs', 'dependencies');
    expect(second.all).toMatch(/✓ dependencies\s+node_modules matches package-lock.json\s+already there/);
    writeLock('1.0.1');
    writePackage('1.0.1', { preinstall: 'touch begun; sleep 60' });
    const setUp = spawn('node', [join(folder, 'bin', 'setup.mjs'), 'dependencies'], { cwd: folder, detached: true });
    await waitFor('npm to install', () => existsSync(join(folder, 'begun')));
    process.kill(-(setUp.pid as number), 'SIGKILL'); // npm too
    await once(setUp, 'exit');
    writePackage('1.0.0');
    writeLock('1.0.0'); // as before
    expect((await runBin('setup.mjs', 'dependencies')).all).toMatch(/✓ dependencies\s+npm ci\s+\d+\.\d s/);
  });

  test('two set-ups at once install one after the other', async () => {
    // Keeps the first one installing until the second one waits.
    writePackage('1.0.0', { preinstall: 'until [ -e go ]; do sleep 0.1; done' });
    const running = [runBin('setup.mjs', 'dependencies'), runBin('setup.mjs', 'dependencies')];
    let said = '';
    for (const one of running) {
      one.all.on('data', (text) => {
        said += text;
      });
    }
    await waitFor('the other one to wait', () => said.includes('waiting for another set-up'));
    writeFileSync(join(folder, 'go'), '');
    const both = await Promise.all(running);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const output = both.map(({ all }) => all).join('\n');
    expect(output.match(/npm ci/g)).toHaveLength(1);
    expect(output).toMatch(/waiting for another set-up, process \d+/);
  });

  test('of two set-ups that wait for a dead one, one continues', async () => {
    const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 12);
    const lock = join(tmpdir(), `longhaul-prepare-${name}.lock`);
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    try {
      writeFileSync(lock, String(2 ** 30)); // above any process id
      mkdirSync(`${lock}.clearing`); // another set-up is clearing the lock of the dead one
      const later = new Date(Date.now() + 3_600_000);
      utimesSync(`${lock}.clearing`, later, later);
      const second = runBin('setup.mjs', 'dependencies');
      let said = '';
      second.all.on('data', (text) => {
        said += text;
      });
      await waitFor('the second to look at the lock', () => said.includes(`process ${2 ** 30}`));
      expect(readFileSync(lock, 'utf8')).toBe(String(2 ** 30));
      writeFileSync(lock, String(holder.pid));
      rmdirSync(`${lock}.clearing`);
      await sleep(1_000);
      expect(readFileSync(lock, 'utf8')).toBe(String(holder.pid));
      holder.kill();
      expect((await second).exitCode).toBe(0);
    } finally {
      holder.kill();
      for (const left of [lock, `${lock}.clearing`]) rmSync(left, { recursive: true, force: true });
    }
  });

  test('npm test ends with its count even if the set-up fails', async () => {
    rmSync(join(folder, 'package-lock.json'));
    const { exitCode, stdout } = await runBin('test.mjs');
    expect(exitCode).toBe(1);
    expect(stdout.trim().split('\n').at(-1)).toBe('0 passed, 1 failed');
  });

  test('CI fails with its count if a check or test fails', async () => {
    cpSync(join(packageRoot(), '.ci'), join(folder, '.ci'), { recursive: true });
    const ci = async (check: string, tests: string) => {
      writePackage('1.0.0', { check, test: tests });
      const { exitCode, stdout } = await execa('bash', [join(folder, '.ci', 'run')], {
        reject: false,
        stdin: 'ignore',
      });
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
});
