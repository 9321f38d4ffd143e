import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
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
  '/deflate': (_, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('unpacked')),
  '/br': (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('unpacked')),
  async '/gzip-stream'(_, response) {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const packing = createGzip();
    packing.pipe(response);
    packing.write('one ');
    packing.flush();
    await silence(response, '?for-ever');
  },
  '/gzip-cut': (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('unpacked').subarray(0, 12));
    setTimeout(() => response.destroy(), 50);
  },
  '/cut': (_, response) => {
    response.write('one ');
    setTimeout(() => response.destroy(), 50);
  },
  '/nothing': (_, response) => response.writeHead(204).end(),
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

  test('would be cut off by Node', () =>
    withImpatientNode(500, async () => {
      await expect(read(fetch, '?for-ever')).rejects.toThrow(); // Node's own fetch fails
      expect(await read(patientFetch)).toBe('one two');
    }));

  test('would be cut off by Node where it is recorded', () =>
    withImpatientNode(500, async () => {
      expect(await read(recordExchanges({ folder, secrets: [] }))).toBe('one two');
    }));

  test('could not be ended', async () => {
    const stop = new AbortController();
    const reading = patientFetch(`${url}${path}?for-ever`, { signal: stop.signal }).then((response) => response.text());
    setTimeout(() => stop.abort(), 100);
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('what a client of a provider reads of a response would be lost', async () => {
  const response = await patientFetch(`${url}/echo`, { method: 'POST', body: '{}', headers: { 'x-own': 'yes' } });
  expect(response).toMatchObject({ status: 418, statusText: 'I am', ok: false });
  expect(response.headers.get('x-many')).toBe('a, b');
  expect(await response.json()).toEqual({ method: 'POST', type: 'text/plain;charset=UTF-8', own: 'yes', body: '{}' });
});

test('bytes would be sent with a type that nobody gave them, or with others that lie beside them', async () => {
  const body = Buffer.from('before{}after').subarray(6, 8);
  const [bare, typed] = await Promise.all(
    [{}, { 'content-type': 'application/json' }].map(async (headers) => {
      const response = await patientFetch(`${url}/moved`, { method: 'POST', body, headers });
      return response.json();
    }),
  );
  expect(bare).toEqual({ method: 'POST', body: '{}' });
  expect(typed).toEqual({ method: 'POST', body: '{}', type: 'application/json' });
});

test('a request of another form than a text or bytes would be sent without its parts', async () => {
  const form = new FormData();
  form.set('name', 'value');
  const whole = new Request(`${url}/echo`, { method: 'PUT', body: form, headers: { 'x-own': 'yes' } });
  const told = await (await patientFetch(whole)).json();
  expect(told).toMatchObject({ method: 'PUT', type: expect.stringContaining('multipart/form-data'), own: 'yes' });
  expect(told).toMatchObject({ body: expect.stringContaining('value') });
});

test('a provider that moved would have to be named anew', async () => {
  const response = await patientFetch(`${url}/moved`, { method: 'POST', body: 'kept' });
  expect(await response.json()).toMatchObject({ method: 'POST', body: 'kept' });
});

test.each(['gzip', 'deflate', 'br'])(
  'an answer that a gateway compressed by %s could not be read',
  async (encoding) => {
    expect(await (await patientFetch(`${url}/${encoding}`)).text()).toBe('unpacked');
  },
);

test('a compressed answer would only be read at its end', async () => {
  const stop = new AbortController();
  const { body } = await patientFetch(`${url}/gzip-stream`, { signal: stop.signal });
  for await (const piece of body ?? []) {
    expect(Buffer.from(piece).toString()).toBe('one ');
    break;
  }
  stop.abort();
});

test('a compressed answer that is cut would be taken for a whole one', async () => {
  const response = await patientFetch(`${url}/gzip-cut`);
  await expect(response.text()).rejects.toThrow();
});

test('a connection that is cut before anybody reads the answer would end the process', async () => {
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  process.on('uncaughtException', note);
  try {
    const response = await patientFetch(`${url}/cut`);
    await sleep(200);
    await expect(response.text()).rejects.toThrow('other side closed');
    expect(thrown).toEqual([]);
  } finally {
    process.off('uncaughtException', note);
  }
});

test('an answer without a body would fail', async () => {
  const response = await patientFetch(`${url}/nothing`);
  expect(response).toMatchObject({ status: 204, body: null });
});

test('a model behind a proxy that the environment names could not be reached, or one on this machine only by it', async () => {
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
