import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CodecEndpoint, serveCodec } from '../../temporal/codec-endpoint.ts';
import { createPayloadCodec } from '../../temporal/payload-codec.ts';

const ui = 'http://127.0.0.1:8233';
let endpoint: CodecEndpoint;

beforeAll(async () => {
  const codec = createPayloadCodec([{ id: 'one', key: randomBytes(32) }]);
  endpoint = await serveCodec({ codec, port: 0, origins: [ui] });
});
afterAll(() => endpoint?.close());

function ask(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(endpoint.url + path, { method: 'POST', body: JSON.stringify(body), headers });
}

const plain = {
  metadata: { encoding: Buffer.from('json/plain').toString('base64') },
  data: Buffer.from('"A garden."').toString('base64'),
};

test('what it encodes it decodes, for the page of the UI and for no page', async () => {
  const encoded = (await (await ask('/encode', { payloads: [plain] })).json()) as { payloads: unknown[] };
  expect(encoded).not.toEqual({ payloads: [plain] });
  const answer = await ask('/decode', encoded, { origin: ui });
  expect(answer.headers.get('access-control-allow-origin')).toBe(ui);
  expect(await answer.json()).toEqual({ payloads: [plain] });
});

test('the browser of the UI may ask with its headers', async () => {
  const answer = await fetch(`${endpoint.url}/decode`, { method: 'OPTIONS', headers: { origin: ui } });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-headers')).toContain('x-namespace');
});

test('a page from elsewhere gets nothing, by whatever name it got here', async () => {
  const { status, headers } = await ask('/decode', { payloads: [plain] }, { origin: 'https://example.org' });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
  const rebound = await new Promise((resolve) => {
    const sent = request(`${endpoint.url}/decode`, { method: 'POST', headers: { host: 'example.org' } }, (answer) =>
      resolve(answer.statusCode),
    );
    sent.end('{}');
  });
  expect(rebound).toBe(403);
});

test('what cannot be decrypted is answered with the reason', async () => {
  const other = createPayloadCodec([{ id: 'other', key: randomBytes(32) }]);
  const [payload] = await other.encode([{ metadata: {}, data: Buffer.from('x') }]);
  const json = {
    metadata: Object.fromEntries(
      Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    data: Buffer.from(payload?.data ?? []).toString('base64'),
  };
  const answer = await ask('/decode', { payloads: [json] });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('with the id "other"')]);
  expect((await fetch(`${endpoint.url}/decode`, { method: 'POST', body: '<html>' })).status).toBe(400);
  expect((await fetch(`${endpoint.url}/decode`)).status).toBe(404);
});
