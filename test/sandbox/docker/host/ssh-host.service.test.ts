import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import ssh2 from 'ssh2';
import { connectDocker } from '../../../../sandbox/docker/host/connect-docker.ts';
import { translateHostErrors } from '../../../../sandbox/docker/host/host-errors.ts';
import { askDaemon } from '../../../../setup/docker/find-daemon.ts';

// A daemon behind an SSH server, as `docker -H ssh://` finds it: the server runs `docker system dial-stdio` for whoever comes.
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const folder = mkdtempSync(join(tmpdir(), 'longhaul-ssh-'));
const knownHosts = join(folder, 'known_hosts');
let commands: string[] = [];
const daemon = createServer((socket) => {
  const answer = JSON.stringify({ Version: '1.2.3' });
  socket.once('data', () =>
    socket.end(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`,
    ),
  );
  socket.on('error', () => {});
});
const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
  client.on('authentication', (context) => context.accept());
  client.on('error', () => {});
  client.on('session', (accept) => {
    accept().on('exec', (acceptExec, _reject, { command }) => {
      commands.push(command);
      const channel = acceptExec();
      const { port } = daemon.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      channel.pipe(socket).pipe(channel);
    });
  });
});
let address: string;
let line: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => daemon.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  address = `ssh://ada@127.0.0.1:${port}`;
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  line = `[127.0.0.1]:${port} ssh-rsa ${key.getPublicSSH().toString('base64')}\n`;
});
afterAll(() => {
  server.close();
  daemon.close();
  rmSync(folder, { recursive: true });
});

function version(): Promise<unknown> {
  commands = [];
  const docker = connectDocker(address, { environment: {}, knownHosts: [knownHosts] });
  return translateHostErrors(() => docker.version());
}

test('a host whose key is in known_hosts is used', async () => {
  writeFileSync(knownHosts, line);
  expect(await version()).toMatchObject({ Version: '1.2.3' });
  expect(commands).toEqual(['docker system dial-stdio']);
});

test('a host that shows another key than known_hosts has is sent nothing', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'pkcs1', format: 'der' });
  writeFileSync(knownHosts, line.replace(/\S+\n$/, `${other.toString('base64')}\n`));
  await expect(version()).rejects.toMatchObject({
    code: 'HostKeyUnknown',
    message: expect.stringContaining('nothing was sent'),
  });
  expect(commands).toEqual([]);
});

test('a host that known_hosts does not have is refused, with what to do', async () => {
  writeFileSync(knownHosts, '');
  await expect(version()).rejects.toMatchObject({
    code: 'HostKeyUnknown',
    message: expect.stringContaining('Connect once with `ssh`'),
  });
  expect(await askDaemon(address, {})).toMatchObject({ error: { code: 'HostKeyUnknown' } });
  expect(commands).toEqual([]);
});
