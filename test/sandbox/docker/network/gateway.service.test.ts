import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { neverReached, notPublic } from '../../../../domain/network/address-ranges.ts';
import { hostPattern } from '../../../../domain/network/host-pattern.ts';
import { refusedPattern } from '../../../../domain/network/network-access.ts';
import {
  type GatewaySettings,
  gatewayProgram,
  gatewayTicket,
} from '../../../../sandbox/docker/network/gateway-settings.ts';
import { parseRefusals } from '../../../../sandbox/docker/network/read-refusals.ts';
import { waitFor } from '../../../support/wait-for.ts';

const key = 'key';
let folder: string;
let site: Server;
let port: number;
let asked: Array<{ method: string; url: string; headers: IncomingHttpHeaders; body: string }> = [];
let gateways: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-test-gateway-'));
  site = createHttpServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, body: await text(request) });
    response.setHeader('keep-alive', 'timeout=5').end(`page ${url}`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  port = (site.address() as AddressInfo).port;
});
afterAll(async () => {
  site.close();
  await rm(folder, { recursive: true });
});
afterEach(() => {
  for (const gateway of gateways) gateway.kill();
  gateways = [];
  asked = [];
});

/** A gateway that listens on a socket in the test's folder; unless told otherwise, no address is out of its reach. */
async function startGateway(changes: Partial<GatewaySettings> = {}, program = gatewayProgram()) {
  const socket = join(folder, `${Math.random()}.sock`);
  const settings: GatewaySettings = {
    ...{ key, socket, policy: 'tested', named: hostPattern([]), refused: [], all: false, notPublic, neverReached: [] },
    upstream: { exceptions: [] },
    ...changes,
  };
  const env = { ...process.env, LONGHAUL_GATEWAY: JSON.stringify(settings) };
  const gateway = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  gateways.push(gateway);
  let log = '';
  gateway.stdout.on('data', (piece) => {
    log += piece;
  });
  while (!log.includes('listening')) await once(gateway.stdout, 'data');
  return {
    /** Sends bytes after the line that a connection begins with, and returns all that comes until the gateway closes it. */
    async exchange(bytes: string, ticket = gatewayTicket('box', key)): Promise<string> {
      const connection = createConnection(socket);
      connection.write(ticket);
      connection.write(bytes);
      return text(connection);
    },
    /** A connection that its client keeps open, whatever the gateway does; resolves when it is there. */
    async hold(bytes: string): Promise<Socket> {
      const connection = createConnection({ path: socket, allowHalfOpen: true });
      connection.on('error', () => undefined).resume();
      await once(connection, 'connect');
      connection.write(bytes);
      return connection;
    },
    refusals: (sandbox = 'box') => parseRefusals(log, sandbox),
    log: () => log,
  };
}

const get = (url: string) => `GET ${url} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`;
const tunnel = (authority: string) =>
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\nGET /inside HTTP/1.1\r\nHost: inside\r\nConnection: close\r\n\r\n`;
const here = () => ({ named: hostPattern([`localhost:${port}`]) });

test('a host that the policy names is reached, by a tunnel and by a plain request', async () => {
  const gateway = await startGateway(here());
  expect(await gateway.exchange(tunnel(`localhost:${port}`))).toMatch(
    /^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*page \/inside$/,
  );
  const post = `POST http://localhost:${port}/plain?a=1 HTTP/1.1\r\nHost: other.example\r\nX-Own: 1\r\nProxy-Authorization: secret\r\nConnection: x-hop, close\r\nX-Hop: 1\r\nContent-Length: 4\r\n\r\nbody`;
  expect(await gateway.exchange(post)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*page \/plain\?a=1/);
  expect(asked).toMatchObject([{ url: '/inside' }, { method: 'POST', url: '/plain?a=1', body: 'body' }]);
  const { headers } = asked[1] ?? {};
  expect(headers).toMatchObject({ host: `localhost:${port}`, 'x-own': '1' });
  expect(Object.keys(headers ?? {})).not.toEqual(expect.arrayContaining([expect.stringMatching(/proxy|x-hop/)]));
  expect(gateway.refusals()).toEqual([]);
});

test('any other host is refused with a sentence, which the log has once for each host', async () => {
  const gateway = await startGateway(here());
  const why = 'network policy "tested" does not allow example.com:443';
  for (const _time of [1, 2]) {
    expect(await gateway.exchange(tunnel('example.com:443'))).toMatch(
      new RegExp(`^HTTP/1\\.1 403 Longhaul: ${why}\r\n[\\s\\S]*\r\n\r\nLonghaul: ${why}\n$`),
    );
  }
  expect(await gateway.exchange(get('http://example.com/'))).toMatch(/^HTTP\/1\.1 403 Longhaul: network policy/);
  expect(await gateway.exchange(tunnel(`127.0.0.1:${port}`))).toMatch(/^HTTP\/1\.1 403 /);
  expect(gateway.refusals()).toEqual([
    { host: 'example.com', port: 443, why },
    { host: 'example.com', port: 80, why: 'network policy "tested" does not allow example.com:80' },
    { host: '127.0.0.1', port, why: `network policy "tested" does not allow 127.0.0.1:${port}` },
  ]);
  expect(gateway.refusals('another')).toEqual([]);
  expect(gateway.log().match(/example\.com:443/g)).toHaveLength(1);
  expect(asked).toEqual([]);
});

test('what a rule refuses is refused although the policy names it, and the log says by which rule', async () => {
  const pattern = refusedPattern({ hosts: 'localhost' });
  const gateway = await startGateway({
    ...here(),
    refused: [{ pattern, why: '`deny Network(localhost)` of the project' }],
  });
  const why = `localhost:${port} is refused by \`deny Network(localhost)\` of the project`;
  expect(await gateway.exchange(tunnel(`localhost:${port}`))).toContain(`\r\n\r\nLonghaul: ${why}\n`);
  expect(await gateway.exchange(get(`http://LOCALHOST.:${port}/`))).toContain('HTTP/1.1 403 ');
  expect(gateway.refusals()).toEqual([{ host: 'localhost', port, why }]);
  expect(asked).toEqual([]);
});

test.each([
  ['denied.example', ['denied.example.', 'denied.example..', 'DENIED.example']],
  ['[2606:4700::1]', ['[2606:4700:0::1]', '[2606:4700:0:0:0:0:0:1]']],
  ['1.2.3.4', ['0x01020304', '16909060', '01.2.3.4', '1.2.772', '[::ffff:1.2.3.4]', '1.2.3.4.']],
])('a host that a rule refuses, %s, is refused however it is written', async (hosts, spellings) => {
  const gateway = await startGateway({ all: true, refused: [{ pattern: refusedPattern({ hosts }), why: 'a rule' }] });
  for (const host of [hosts, ...spellings]) {
    expect(await gateway.exchange(tunnel(`${host}:443`))).toMatch(/^HTTP\/1\.1 403 .* by a rule/);
    expect(await gateway.exchange(get(`http://${host}/`))).toMatch(/^HTTP\/1\.1 403 .* by a rule/);
  }
  expect(await gateway.exchange(tunnel('denied..example:443'))).toMatch(/^HTTP\/1\.1 400 /);
  expect(await gateway.exchange(get('http://denied..example/'))).toMatch(/^HTTP\/1\.1 400 /);
});

test('a connection whose line is missing, forged or of another key gets nothing and is logged as nobody', async () => {
  const gateway = await startGateway(here());
  const [, name = ''] = /^LONGHAUL ([\w-]+)\./.exec(gatewayTicket('box', key)) ?? [];
  const [, signature = ''] = /\.(.*)\n$/.exec(gatewayTicket('other', key)) ?? [];
  for (const ticket of ['', 'LONGHAUL box\n', gatewayTicket('box', 'guessed'), `LONGHAUL ${name}.${signature}\n`]) {
    const answer = await gateway.exchange(`${tunnel(`localhost:${port}`)}${tunnel('example.com:443')}`, ticket);
    expect(answer).toMatch(/^HTTP\/1\.1 403 Longhaul: this connection does not say/);
  }
  expect(asked).toEqual([]);
  expect(gateway.log()).toBe('{"listening":true}\n');
});

test('a policy for all public hosts reaches no address of this machine or its network, however it is written', async () => {
  const gateway = await startGateway({ all: true, neverReached });
  for (const host of [
    'localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ]) {
    expect(await gateway.exchange(tunnel(`${host}:${port}`))).toMatch(
      /^HTTP\/1\.1 403 .* which no sandbox may reach\r\n/,
    );
    expect(await gateway.exchange(get(`http://${host}:${port}/`))).toMatch(/^HTTP\/1\.1 403 /);
  }
  for (const host of [
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '172.17.0.1',
    '[fd00::1]',
    '[fe80::1]',
    '100.64.0.1',
  ]) {
    expect(await gateway.exchange(tunnel(`${host}:443`))).toMatch(/^HTTP\/1\.1 403 /);
  }
  expect(asked).toEqual([]);
});

test('a name of the policy that leads to this machine is refused', async () => {
  const gateway = await startGateway({ ...here(), neverReached });
  for (const request of [tunnel(`localhost:${port}`), get(`http://localhost:${port}/`)]) {
    expect(await gateway.exchange(request)).toMatch(
      /^HTTP\/1\.1 403 Longhaul: localhost:\d+ leads to (127\.0\.0\.1|::1), which/,
    );
  }
  expect(gateway.refusals()).toHaveLength(1);
  expect(asked).toEqual([]);
});

test('what is no request for a proxy, and a host that is away, get an answer', async () => {
  const gateway = await startGateway({ named: hostPattern(['localhost:1', 'no-such-host.invalid']) });
  for (const request of [
    get('/'),
    get('https://example.com/'),
    get('ftp://example.com/'),
    tunnel('example.com'),
    tunnel('a/b:443'),
    tunnel('a:99999'),
  ]) {
    expect(await gateway.exchange(request)).toMatch(/^HTTP\/1\.1 400 /);
  }
  expect(await gateway.exchange(tunnel('localhost:1'))).toMatch(
    /^HTTP\/1\.1 502 Longhaul: could not reach localhost:1: /,
  );
  expect(await gateway.exchange(get('http://no-such-host.invalid/'))).toMatch(
    /^HTTP\/1\.1 502 Longhaul: could not reach/,
  );
});

test("the container host's own proxy is used, with its password, except for what is exempt; its answer is passed on", async () => {
  const seen: string[] = [];
  const upstream = createServer((socket) => {
    socket.once('data', (piece) => {
      seen.push(piece.toString());
      const isTunnel = piece.toString().startsWith('CONNECT named.example');
      socket.end(isTunnel ? 'HTTP/1.1 200 OK\r\n\r\nthrough' : 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nplain');
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const proxy = { host: '127.0.0.1', port: (upstream.address() as AddressInfo).port, credentials: 'user:word' };
  const gateway = await startGateway({
    named: hostPattern(['named.example', `localhost:${port}`]),
    upstream: { http: proxy, https: proxy, exceptions: ['localhost'] },
  });
  expect(await gateway.exchange(tunnel('named.example:443'))).toMatch(/established\r\n\r\nthrough$/);
  expect(await gateway.exchange(get('http://named.example/page'))).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*plain/);
  expect(await gateway.exchange(tunnel('other.example:443'))).toMatch(/^HTTP\/1\.1 403 /);
  expect(await gateway.exchange(tunnel(`localhost:${port}`))).toMatch(/page \/inside$/);
  upstream.close();
  expect(seen).toEqual([
    expect.stringMatching(
      /^CONNECT named\.example:443 HTTP\/1\.1\r\n[\s\S]*proxy-authorization: Basic dXNlcjp3b3Jk\r\n/i,
    ),
    expect.stringMatching(
      /^GET http:\/\/named\.example\/page HTTP\/1\.1\r\n[\s\S]*proxy-authorization: Basic dXNlcjp3b3Jk\r\n/i,
    ),
  ]);
});

/** Looks names up with as many threads as there are; those of `silent` are never answered. */
const withSilentNames = `const dns = require('node:dns');
const real = dns.lookup;
let threads = 8;
dns.lookup = (host, ...rest) => {
  if (threads === 0) return;
  threads -= 1;
  if (host.endsWith('.silent')) return;
  real(host, ...rest.slice(0, -1), (...answer) => { threads += 1; rest.at(-1)(...answer); });
};
`;

test('names that nobody answers for take the lookups of one sandbox only', async () => {
  const gateway = await startGateway({ ...here(), all: true }, withSilentNames + gatewayProgram());
  const asks = Array.from({ length: 50 }, (_, index) =>
    gateway.hold(`${gatewayTicket('box', key)}CONNECT a${index}.silent:443 HTTP/1.1\r\n\r\n`),
  );
  const held = await Promise.all(asks);
  expect(await gateway.exchange(tunnel(`localhost:${port}`), gatewayTicket('other', key))).toMatch(/page \/inside$/);
  for (const one of held) one.destroy();
});

const inner = 'GET http://denied.example/ HTTP/1.1\r\nHost: denied.example\r\n\r\n';

test.each([
  ['chunks', `Transfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`],
  ['a length that is hidden', `Connection: content-length\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`],
])("a body in %s is no second request to the container host's own proxy", async (_, rest) => {
  const bodies: string[] = [];
  const upstream = createHttpServer(async (request, response) => {
    bodies.push(`${request.url} ${await text(request)}`);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const proxy = { host: '127.0.0.1', port: (upstream.address() as AddressInfo).port };
  const gateway = await startGateway({ all: true, upstream: { http: proxy, https: proxy, exceptions: [] } });
  const held = await gateway.hold(
    `${gatewayTicket('box', key)}GET http://allowed.example/ HTTP/1.1\r\nHost: x\r\n${rest}`,
  );
  await waitFor('a request', () => bodies.length > 0);
  held.destroy();
  upstream.closeAllConnections();
  upstream.close();
  expect(bodies).toEqual([`http://allowed.example/ ${inner}`]);
});

test('one sandbox cannot take the connections of the others', async () => {
  const gateway = await startGateway({ ...here() });
  const held = Array.from({ length: 200 }, () => gateway.exchange(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`));
  for (const one of held) one.catch(() => undefined);
  expect(await gateway.exchange(tunnel(`localhost:${port}`))).toMatch(
    /^HTTP\/1\.1 503 Longhaul: a sandbox may have 200/,
  );
  expect(await gateway.exchange(tunnel(`localhost:${port}`), gatewayTicket('other', key))).toMatch(/page \/inside$/);
});

test.each(['099 x', '000 x'])('a server that answers with status %s does not end the gateway', async (status) => {
  const hostile = createServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`));
  }).listen(0, '127.0.0.1');
  await once(hostile, 'listening');
  const place = `localhost:${(hostile.address() as AddressInfo).port}`;
  const gateway = await startGateway({ named: hostPattern([place, `localhost:${port}`]) });
  expect(await gateway.exchange(get(`http://${place}/`))).toMatch(/^HTTP\/1\.1 502 /);
  hostile.close();
  expect(await gateway.exchange(tunnel(`localhost:${port}`))).toMatch(/page \/inside$/);
});

/** A client that keeps its end open only notices when it writes. */
const ended = (socket: Socket) =>
  waitFor('the end of a connection', () => {
    socket.write('x');
    return socket.destroyed;
  });

test.each([
  ['says no sandbox', 'x\n'],
  ['is refused', `${gatewayTicket('box', key)}CONNECT other.example:443 HTTP/1.1\r\n\r\n`],
])('a connection that %s is ended, although its client keeps it', async (_, bytes) => {
  const gateway = await startGateway(here());
  const held = await gateway.hold(bytes);
  await ended(held);
});

test('connections that say no sandbox take no place from those that do', async () => {
  const gateway = await startGateway(here());
  const first = await gateway.hold('');
  const others: Socket[] = [];
  // In groups, since a socket refuses what its queue of connections has no room for.
  while (others.length < 1_000) {
    others.push(...(await Promise.all(Array.from({ length: 50 }, () => gateway.hold('')))));
  }
  await ended(first);
  expect(await gateway.exchange(tunnel(`localhost:${port}`))).toMatch(/page \/inside$/);
  for (const one of others) one.destroy();
});
