import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordExchanges } from '../../models/cassette/record-exchanges.ts';
import { createPatientFetch, patientFetch } from '../../models/patient-fetch.ts';
import { withImpatientNode } from '../support/impatient-node.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-recording-'));
let server: Server;
let url: string;

type Answer = (request: IncomingMessage, response: ServerResponse, search: string) => Promise<unknown> | unknown;

const silence = (response: ServerResponse, search: string) =>
  search === '?for-ever' ? once(response, 'close') : sleep(2500);

const answers: Record<string, Answer> = {
  async '/headers'(_, response, search) {
    await silence(response, search);
    response.end('one two');
  },
  async '/body'(_, response, search) {
    response.write('one ');
    await silence(response, search);
    response.end('two');
  },
  '/moved': (_, response) => response.writeHead(307, { location: '/echo' }).end(),
  '/gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked')),
  async '/gzip-stream'(_, response) {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const packing = createGzip();
    packing.pipe(response);
    packing.write('one ');
    packing.flush();
    await silence(response, '?for-ever');
  },
  async '/echo'(request, response) {
    const { method, headers } = request;
    const told = { method, type: headers['content-type'], own: headers['x-own'], body: await text(request) };
    response.writeHead(418, 'I am', { 'x-many': ['a', 'b'], 'content-type': 'application/json' });
    response.end(JSON.stringify(told));
  },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
    void answers[pathname]?.(request, response, search);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  server.close();
  server.closeAllConnections();
});

describe.each(['/headers', '/body'])('a silence before %s', (path) => {
  const read = async (get: typeof fetch, search = '') => (await get(url + path + search)).text();

  test('may last longer than Node waits', () =>
    withImpatientNode(500, async () => {
      await expect(read(fetch, '?for-ever')).rejects.toThrow(); // Node's own fetch fails
      expect(await read(patientFetch)).toBe('one two');
    }));

  test('may last longer than Node waits where it is recorded', () =>
    withImpatientNode(500, async () => {
      expect(await read(recordExchanges({ folder, secrets: [] }))).toBe('one two');
    }));

  test('ends with the signal', async () => {
    const stop = new AbortController();
    const reading = patientFetch(`${url}${path}?for-ever`, { signal: stop.signal }).then((response) => response.text());
    setTimeout(() => stop.abort(), 100);
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('status, headers and body of a response arrive', async () => {
  const response = await patientFetch(`${url}/echo`, { method: 'POST', body: '{}', headers: { 'x-own': 'yes' } });
  expect(response).toMatchObject({ status: 418, statusText: 'I am', ok: false });
  expect(response.headers.get('x-many')).toBe('a, b');
  expect(await response.json()).toEqual({ method: 'POST', type: 'text/plain;charset=UTF-8', own: 'yes', body: '{}' });
});

test('a redirect is not followed, and says where it leads', async () => {
  const asked = patientFetch(`${url}/moved?key=hidden`, { method: 'POST', body: 'kept' });
  await expect(asked).rejects.toMatchObject({
    code: 'ModelNotFound',
    message: `${url}/moved redirects to /echo, which is not followed: the base URL must be the address that answers.`,
  });
});

test('a compressed answer is read as it arrives', async () => {
  const stop = new AbortController();
  const { body } = await patientFetch(`${url}/gzip-stream`, { signal: stop.signal });
  for await (const piece of body ?? []) {
    expect(Buffer.from(piece).toString()).toBe('one ');
    break;
  }
  stop.abort();
});

test("requests use the environment's proxy, except those to this machine", async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url: address = '' }, socket) => {
    asked.push(address);
    const { port } = server.address() as AddressInfo;
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { env } = process;
  const fetchByProxy = createPatientFetch();
  try {
    process.env = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const response = await fetchByProxy('http://models.example/echo', { method: 'POST', body: 'hello' });
    expect(await response.json()).toMatchObject({ body: 'hello' });
    expect(asked).toEqual(['models.example:80']);
    await (await fetchByProxy(`${url}/gzip`)).text();
    expect(asked).toHaveLength(1);
  } finally {
    process.env = env;
    proxy.close();
    proxy.closeAllConnections();
  }
});
