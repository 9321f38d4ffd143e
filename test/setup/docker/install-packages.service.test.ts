import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { installPackages } from '../../../setup/docker/install-packages.ts';

let folder: string;
const { PATH } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-apt-'));
  mkdirSync(join(folder, 'logs'));
  process.env.PATH = `${folder}:${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true, force: true });
});

/** A stand-in for a system program that no test may call; it fails the first time it is called. */
function place(name: string, words: string): void {
  const script = `#!/bin/sh\necho "${name} $1" >>${folder}/called\nif [ ! -e ${folder}/${name}.failed ]; then touch ${folder}/${name}.failed; echo "${words}" >&2; exit 2; fi\n`;
  writeFileSync(join(folder, name), script, { mode: 0o755 });
}

const install = () =>
  installPackages(['docker.io'], { home: folder, signal: new AbortController().signal, onProgress() {} });

test('an installation waits for another apt', async () => {
  place('dpkg', 'dpkg: error: dpkg frontend lock was locked by another process with pid 812');
  place('apt-get', 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 812 (apt-get)');
  await install();
  expect(readFileSync(join(folder, 'called'), 'utf8').trim().split('\n')).toEqual([
    'dpkg --configure',
    'dpkg --configure',
    'apt-get update',
    'apt-get update',
    'apt-get install',
  ]);
});

test('any other failure of an installation is reported at once', async () => {
  place('dpkg', 'dpkg: error: no space left on device');
  await expect(install()).rejects.toThrow(/Expected installing docker\.io to work[\s\S]*no space left/);
  expect(readFileSync(join(folder, 'called'), 'utf8')).toBe('dpkg --configure\n');
});
