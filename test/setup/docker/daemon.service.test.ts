import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { identifyProcess, type ProcessIdentity } from '../../../config/process-identity.ts';
import { hasDaemonRecord, readOwnDaemon, recordOwnDaemon } from '../../../setup/docker/daemon-record.ts';
import { describeAbsence } from '../../../setup/docker/docker-unavailable-error.ts';
import { findDaemon } from '../../../setup/docker/find-daemon.ts';
import { installPackages } from '../../../setup/docker/install-packages.ts';
import { stopOwnDaemon, stopSandboxes } from '../../../setup/docker/release-docker.ts';
import { startDaemon } from '../../../setup/docker/start-daemon.ts';
import { performStep } from '../../../setup/setup-step.ts';
import { dockerStep } from '../../../setup/steps/docker.ts';
import { createSandboxImageStep } from '../../../setup/steps/sandbox-image.ts';
import { makeContext } from '../test-configuration.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-docker-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const socket = process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock';

test('a DOCKER_HOST that does not answer is an error, not a reason for another daemon', async () => {
  const host = `unix://${join(folder, 'none.sock')}`;
  const { context } = makeContext({ LONGHAUL_HOME: join(folder, 'home'), DOCKER_HOST: host });
  await expect(performStep(dockerStep, context)).rejects.toThrow(
    `Expected a Docker daemon at DOCKER_HOST=${host}, got: connect ENOENT`,
  );
});

/** A daemon that takes requests and answers none. */
async function startHanging(): Promise<{ host: string; end(): void }> {
  const path = join(folder, 'hanging.sock');
  const connections: Socket[] = [];
  const server = createServer((connection) => connections.push(connection)).listen(path);
  await once(server, 'listening');
  return {
    host: `unix://${path}`,
    end() {
      server.close();
      for (const connection of connections) connection.destroy();
    },
  };
}

test('a daemon that hangs does not hang the set-up', async () => {
  const { host, end } = await startHanging();
  const since = performance.now();
  const answer = await findDaemon(host, {});
  expect(performance.now() - since).toBeLessThan(30_000);
  expect(answer).toMatchObject({ reason: 'host-silent', error: { message: 'no answer within 5 s' } });
  end();
});

test("a daemon that hangs does not keep a stopped stack's process", async () => {
  const { host, end } = await startHanging();
  await expect(stopSandboxes(host, folder, {})).rejects.toThrow(/The container host does not answer/);
  end();
}, 60_000);

test('a person without rights to the socket is told to join its group', () => {
  expect(describeAbsence({ reason: 'permission', socket: '/var/run/docker.sock' })).toMatch(
    /this user has none\. Join its group \(sudo usermod -aG docker/,
  );
});

test('without a daemon the error says what to do', () => {
  expect(describeAbsence({ reason: 'no-daemon' })).toMatch(/none answers\. (Start|Install).* DOCKER_HOST/s);
});

test('a daemon that somebody else started outlives the stack', async () => {
  expect(await stopOwnDaemon(folder, socket)).toBe('not-ours');
});

test('a slow daemon of ours is awaited, not started twice', async () => {
  const ours = identifyProcess(process.pid) as ProcessIdentity;
  recordOwnDaemon(folder, ours);
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'dockerd'), `#!/bin/sh\necho begun >>${folder}/begun\n`, { mode: 0o755 });
  const environment = { PATH: `${folder}:${process.env.PATH}` };
  // It is waited for until the machine's answers, or, where there is none, for as long as this.
  await Promise.allSettled([startDaemon({ home: folder, environment, signal: AbortSignal.timeout(1_000) })]);
  expect(readOwnDaemon(folder)).toEqual(ours);
  expect(existsSync(join(folder, 'begun'))).toBe(false);
});

test("a process that merely got our daemon's pid is left alone", () => {
  recordOwnDaemon(folder, identifyProcess(process.pid) as ProcessIdentity);
  expect(readOwnDaemon(folder)?.pid).toBe(process.pid);
  recordOwnDaemon(folder, { pid: process.pid, startMark: 'of an earlier process' });
  expect(readOwnDaemon(folder)).toBeUndefined();
  expect(hasDaemonRecord(folder)).toBe(true);
});

test('a missing SANDBOX_IMAGE is an error and is not built', async () => {
  const { context } = makeContext({ LONGHAUL_HOME: join(folder, 'home'), SANDBOX_IMAGE: 'longhaul-no-such-image:1' });
  const step = createSandboxImageStep({ host: socket, version: 'any' }, {});
  await expect(performStep(step, context)).rejects.toThrow(/SANDBOX_IMAGE=longhaul-no-such-image:1 at .*, found none/);
});

describe('packages of the system', () => {
  const { PATH } = process.env;
  beforeEach(() => {
    mkdirSync(join(folder, 'logs'));
    process.env.PATH = `${folder}:${PATH}`;
  });
  afterEach(() => {
    process.env.PATH = PATH;
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
});
