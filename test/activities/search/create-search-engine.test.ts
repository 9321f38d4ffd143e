import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createBrave } from '../../../activities/search/brave.ts';
import { createSearchEngine } from '../../../activities/search/create-search-engine.ts';

let server: Server;
let address: string;
let asked: IncomingMessage[] = [];
let answer: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
const { signal } = new AbortController();
const searxng = (query: string, count = 5) =>
  createSearchEngine({ provider: 'searxng', address: `${address}/` }).search(query, { count, signal });
const brave = (query: string) => createBrave(address, 'a-key').search(query, { count: 3, signal });

test('SearXNG is asked in its JSON, and no more than the wanted results are kept', async () => {
  const result = (number: number) => ({
    title: `T${number}`,
    url: `https://a.org/${number}`,
    content: 'c',
    engine: 'x',
  });
  answer = json({ query: 'q', results: [result(1), { ...result(2), content: null }, result(3)] });
  expect(await searxng('tides & moon', 2)).toEqual([
    { title: 'T1', url: 'https://a.org/1', text: 'c' },
    { title: 'T2', url: 'https://a.org/2', text: '' },
  ]);
  expect(asked[0]?.url).toBe('/search?q=tides+%26+moon&format=json');
});

test('Brave is asked with its key, and its marks are left out', async () => {
  answer = json({
    type: 'search',
    web: { results: [{ title: 'T', url: 'https://a.org', description: 'The <strong>tide</strong>.' }] },
  });
  expect(await brave('tides')).toEqual([{ title: 'T', url: 'https://a.org', text: 'The tide.' }]);
  expect(asked[0]?.headers['x-subscription-token']).toBe('a-key');
  expect(asked[0]?.url).toBe('/res/v1/web/search?q=tides&count=3&text_decorations=false');
  answer = json({ type: 'search' });
  expect(await brave('nothing')).toEqual([]);
});

test.each<[string, RequestListener, string]>([
  ['refuses', json({ error: 'no' }, 403), 'answered with status 403. SearXNG answers in JSON where'],
  ['speaks HTML', (_request, response) => void response.end('<html>'), 'Expected results in JSON'],
  [
    'redirects',
    (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'status 302',
  ],
  ['answers without end', (_request, response) => void response.end(Buffer.alloc(3 * 1024 ** 2)), 'more than 2 MB'],
  ['hangs up', (request) => void request.socket.destroy(), 'does not answer'],
])('a search engine that %s is told to the agent', async (_, listener, complaint) => {
  answer = listener;
  await expect(searxng('x')).rejects.toThrow(complaint);
});
