import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { defaultSockets } from '../../../setup/docker/default-sockets.ts';
import { describeAbsence } from '../../../setup/docker/docker-unavailable-error.ts';
import { type DockerDaemon, findDaemon } from '../../../setup/docker/find-daemon.ts';

let home: string;
let servers: Server[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-docker-'));
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  rmSync(home, { recursive: true, force: true });
});

/** A daemon that says its version, behind this socket of the person's home. */
async function startDaemon(socket: string): Promise<string> {
  const path = join(home, socket);
  mkdirSync(dirname(path), { recursive: true });
  const server = createServer((_, answer) => answer.end(JSON.stringify({ Version: socket }))).listen(path);
  await once(server, 'listening');
  servers.push(server);
  return `unix://${path}`;
}

function writeContext(name: string, host: string, folder = '.docker'): string {
  const id = createHash('sha256').update(name).digest('hex');
  const file = join(home, folder, 'contexts', 'meta', id, 'meta.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ Name: name, Metadata: {}, Endpoints: { docker: { Host: host } } }));
  return id;
}

function useContext(name: string): void {
  writeFileSync(join(home, '.docker', 'config.json'), JSON.stringify({ auths: {}, currentContext: name }));
}

const find = async (environment: Record<string, string> = {}, configured?: string) => {
  const found = await findDaemon(configured, { HOME: home, ...environment });
  return 'version' in found ? (found satisfies DockerDaemon).host : describeAbsence(found);
};

test("a Docker that only the `docker` command's context knows is found", async () => {
  const current = await startDaemon('desktop.sock');
  const named = await startDaemon('work.sock');
  writeContext('desktop-linux', current);
  writeContext('work', named);
  useContext('desktop-linux');
  expect(await find()).toBe(current);
  expect(await find({ DOCKER_CONTEXT: 'work' })).toBe(named);
  expect(await find({ DOCKER_CONTEXT: 'work' }, current)).toBe(current);
  expect(await find({ DOCKER_CONTEXT: 'default' })).not.toBe(current);
});

test('settings of the `docker` command in another folder are read', async () => {
  const host = await startDaemon('desktop.sock');
  writeContext('desktop-linux', host, 'elsewhere');
  const environment = { DOCKER_CONFIG: join(home, 'elsewhere'), DOCKER_CONTEXT: 'desktop-linux' };
  expect(await find(environment)).toBe(host);
});

test('a context of another machine that does not answer is an error', async () => {
  writeContext('server', 'tcp://127.0.0.1:1');
  useContext('server');
  expect(await find()).toMatch(
    /^Expected a Docker daemon at tcp:\/\/127\.0\.0\.1:1, by the docker command's context server, got: .*ECONNREFUSED/,
  );
});

test('a DOCKER_CONTEXT that does not exist or does not answer is an error', async () => {
  expect(await find({ DOCKER_CONTEXT: 'wrok' })).toBe(
    "Expected a context of Docker's for DOCKER_CONTEXT=wrok, found none. See docker context ls.",
  );
  writeContext('work', `unix://${join(home, 'none.sock')}`);
  expect(await find({ DOCKER_CONTEXT: 'work' })).toMatch(/by DOCKER_CONTEXT=work, got: connect ENOENT/);
});

test('a context with its own certificates is refused', async () => {
  const id = writeContext('server', 'tcp://10.0.0.1:2376');
  const certificates = join(home, '.docker', 'contexts', 'tls', id, 'docker');
  mkdirSync(certificates, { recursive: true });
  useContext('server');
  expect(await find()).toContain(`Set DOCKER_HOST=tcp://10.0.0.1:2376 and DOCKER_CERT_PATH=${certificates}.`);
});

test('a stopped current context or unknown settings do not hide a running daemon', async () => {
  writeContext('desktop-linux', `unix://${join(home, 'none.sock')}`);
  useContext('desktop-linux');
  const running = await startDaemon('.colima/work/docker.sock');
  const usual = [...(await answering('/var/run/docker.sock')), running];
  expect(usual).toContain(await find());
  writeFileSync(join(home, '.docker', 'config.json'), 'not JSON');
  expect(usual).toContain(await find());
});

/** Of the machine's own, where there is one. */
async function answering(socket: string): Promise<string[]> {
  const found = await findDaemon(`unix://${socket}`, {});
  return 'version' in found ? [found.host] : [];
}

test('a Docker with its socket in another default place is found', () => {
  const places = [
    '.docker/run',
    '.docker/desktop',
    '.orbstack/run',
    '.colima/default',
    '.colima/another',
    '.config/colima/default',
    '.rd',
    'runtime',
  ].map((folder) => join(home, folder, 'docker.sock'));
  for (const socket of places) {
    mkdirSync(dirname(socket), { recursive: true });
    writeFileSync(socket, '');
  }
  const found = defaultSockets({ HOME: home, XDG_RUNTIME_DIR: join(home, 'runtime') });
  expect(found.filter((socket) => socket.startsWith(home)).sort()).toEqual(places.sort());
  expect(found.findIndex((socket) => socket.includes('default'))).toBeLessThan(
    found.findIndex((socket) => socket.includes('another')),
  );
});
