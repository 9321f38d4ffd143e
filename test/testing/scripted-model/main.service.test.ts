import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../../config/package-root.ts';
import { connect } from './connect.ts';

// Inside the package, so that the built files find the packages they import.
const built = join(packageRoot(), 'node_modules', '.cache', `scripted-model-${process.pid}`);
const tiny = join(packageRoot(), 'test/fixtures/scripts/tiny');
let child: ChildProcessByStdio<null, Readable, Readable> | undefined;

beforeAll(() => {
  mkdirSync(built, { recursive: true });
  const options = {
    extends: join(packageRoot(), 'tsconfig.json'),
    include: [],
    files: [join(packageRoot(), 'testing/scripted-model/main.ts')],
    compilerOptions: {
      rootDir: packageRoot(),
      outDir: built,
      types: ['node'],
      typeRoots: [join(packageRoot(), 'node_modules/@types')],
    },
  };
  writeFileSync(join(built, 'tsconfig.json'), JSON.stringify(options));
  execFileSync(join(packageRoot(), 'node_modules/.bin/tsc'), ['-p', built], { stdio: 'inherit' });
});

afterAll(() => rmSync(built, { recursive: true }));

function start(...options: string[]) {
  child = spawn(process.execPath, [join(built, 'testing/scripted-model/main.js'), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  return child;
}

afterEach(() => {
  if (child?.exitCode === null) child.kill('SIGKILL');
});

test('it says where it listens, answers there, and ends on SIGTERM with a client still connected', async () => {
  const server = start('--script', tiny);
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect((await connect(url).models.list()).data[0]?.id).toBe('scripted-tiny');
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
});

test('without a script it says what it takes', async () => {
  const server = start();
  let complaint = '';
  server.stderr.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  expect(await once(server, 'close')).toEqual([2, null]);
  expect(complaint).toContain('Expected --script <folder>');
});
