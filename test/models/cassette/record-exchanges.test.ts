import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readCassette } from '../../../models/cassette/cassette.ts';
import { recordExchanges } from '../../../models/cassette/record-exchanges.ts';

const key = 'key-of-a-provider-0123456789';
const cookie = 'session=cookie-of-a-session';
const organization = 'org-AbCdEfGhIjKlMnOp';

let folder: string;
let address: string;
let answer: (response: ServerResponse) => Promise<void> | void;
const server = createServer((request, response) => {
  request.resume().on('end', () => answer(response));
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-cassette-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await rm(folder, { recursive: true, force: true });
});

async function cassette(): Promise<string> {
  const [name, ...more] = await readdir(folder);
  expect(more).toEqual([]);
  return join(folder, String(name));
}

function ask(fetch: typeof globalThis.fetch, body: unknown = { prompt: 'Hello.' }): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    'x-api-key': `${key}-too`,
    cookie,
    'openai-organization': organization,
    'x-longhaul-run': 'r1',
  };
  return fetch(`${address}/v1/answers?api-version=2&key=${key}`, {
    method: 'POST',
    headers,
    body: Buffer.from(JSON.stringify(body)), // as the providers of OpenAI send it
  });
}

test('a recording has no key, cookie or organization, wherever it was', async () => {
  answer = async (response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'set-cookie': cookie,
      'openai-organization': organization,
      'x-request-id': 'req_7',
    });
    response.write(`data: you are ${key.slice(0, 9)}`);
    await new Promise((done) => setTimeout(done, 50));
    response.end(`${key.slice(9)} of ${organization}, and another-key-of-mine\n\n`);
  };
  const record = recordExchanges({ folder, secrets: ['another-key-of-mine'] });
  const whole = await (await ask(record, { prompt: `My key is ${key}.`, other: 'sk-proj-abcdefghijklmnop' })).text();
  expect(whole).toContain(key); // the caller gets it unchanged
  const text = await readFile(await cassette(), 'utf8');
  expect(text).not.toMatch(/0123456789|key-of-a|cookie|AbCdEf|another-key|abcdefgh/);
  const [exchange] = await readCassette(await cassette());
  expect(exchange).toMatchObject({
    request: {
      method: 'POST',
      path: '/v1/answers?api-version=2&key=***',
      headers: { 'content-type': 'application/json', 'x-longhaul-run': 'r1' },
      body: { prompt: `My key is ${'*'.repeat(key.length)}.` },
    },
    response: { status: 200, headers: { 'content-type': 'text/event-stream', 'x-request-id': 'req_7' } },
  });
  expect(exchange?.response.chunks).toHaveLength(2);
});

test('recording does not hold a stream back', async () => {
  let end = () => {};
  answer = (response) => {
    response.write('data: first\n\n');
    end = () => response.end('data: last, with ümläuts and \u2028\n\n');
  };
  const response = await ask(recordExchanges({ folder, secrets: [] }));
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: first\n\n');
  expect(await readdir(folder)).toEqual([]);
  end();
  while (!(await reader?.read())?.done);
  const [exchange] = await readCassette(await cassette());
  expect(exchange?.response.chunks).toEqual(['data: first\n\n', 'data: last, with ümläuts and \u2028\n\n']);
});

test('an exchange that was cut off is not recorded as whole', async () => {
  answer = (response) => {
    response.write('data: first\n\n', () => setTimeout(() => response.destroy(), 50));
  };
  const record = recordExchanges({ folder, secrets: [] });
  await expect((await ask(record)).text()).rejects.toThrow();
  answer = (response) => void response.write('data: second\n\n');
  const reader = (await ask(record)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect((await readCassette(await cassette())).map(({ response }) => response)).toMatchObject([
    { chunks: ['data: first\n\n'], brokeOff: expect.any(String) },
    { chunks: ['data: second\n\n'], brokeOff: 'the client left' },
  ]);
});

test('a full disk does not cost a paid answer', async () => {
  answer = (response) => void response.end('{"said":"hello"}');
  const warnings: string[] = [];
  const record = recordExchanges({ folder, secrets: [], warn: (message) => warnings.push(message) });
  await rm(folder, { recursive: true });
  expect(await (await ask(record)).text()).toBe('{"said":"hello"}');
  expect(warnings).toEqual([expect.stringMatching(/^Could not record an exchange in .*ENOENT/)]);
});

test('a secret that was read is left out of a request, which stays JSON', async () => {
  answer = (response) => void response.end('{"said":"hello"}');
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const read = JSON.stringify({ client_secret: '0a1b2c3d4e5f' });
  const pem = `-----BEGIN ${'PRIVATE KEY'}-----\nMIIabc\n-----END ${'PRIVATE KEY'}-----\n`;
  const record = recordExchanges({ folder, secrets: [] });
  await (await ask(record, { messages: [{ content: `line\n${token}\n${read}\n${pem}end` }] })).text();
  const [exchange] = await readCassette(await cassette());
  expect(exchange?.request.body).toMatchObject({
    messages: [{ content: expect.stringMatching(/^line\n[\s\S]*end$/) }],
  });
  expect(JSON.stringify(exchange)).not.toMatch(/a1B2|0a1b2c|MIIabc/);
});
