import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readPage } from '../../../activities/fetch/read-page.ts';
import type { PageRules } from '../../../activities/fetch/request-page.ts';

/** The server's handlers by path. */
const pages: Record<string, RequestListener> = {
  '/page': (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=iso-8859-1');
    const html = `<!doctype html><title>Caf\xe9 menu</title><script>steal()</script><h2>Today</h2>
      <p>A <b>good</b> <a href="/soup?a=(1)">soup</a>, <a href="javascript:alert(1)">no link</a>.</p><ul><li>bread</li></ul>`;
    response.end(gzipIf(response, Buffer.from(html, 'latin1')));
  },
  '/data': (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"a": 1}');
  },
  '/picture': (_request, response) => {
    response.setHeader('content-type', 'image/png');
    response.end('png');
  },
  '/large': (_request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(Buffer.alloc(50 * 1024 * 1024)));
  },
  '/deep': (_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<div>'.repeat(100_000));
  },
  '/never': () => {},
  '/failing': (_request, response) => {
    response.statusCode = 503;
    response.end('no');
  },
  '/circle': (_request, response) => redirect(response, '/circle'),
  '/to-page': (_request, response) => redirect(response, '/page'),
  '/to-metadata': (_request, response) => redirect(response, 'http://169.254.169.254/latest/meta-data/'),
  '/to-mapped': (_request, response) => redirect(response, 'http://[::ffff:10.0.0.1]/'),
  '/to-file': (_request, response) => redirect(response, 'file:///etc/passwd'),
  '/to-other': (_request, response) => redirect(response, 'http://other.example.org/'),
};

function redirect(response: Parameters<RequestListener>[1], location: string): void {
  response.statusCode = 302;
  response.setHeader('location', location);
  response.end();
}

function gzipIf(response: Parameters<RequestListener>[1], body: Buffer): Buffer {
  response.setHeader('content-encoding', 'gzip');
  return gzipSync(body);
}

let server: Server;
let port: number;
let asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    pages[request.url ?? '']?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const { signal } = new AbortController();
/** Treats the address of this test's own server, and no other, as public. */
const here: PageRules = { isAllowed: (address) => address === '127.0.0.1', signal };
const read = (path: string, rules = here) => readPage(`http://127.0.0.1:${port}${path}`, rules);

test('a page becomes Markdown with its letters and absolute links', async () => {
  expect(await read('/to-page')).toEqual({
    address: `http://127.0.0.1:${port}/page`,
    text: `# Café menu\n\n## Today\n\nA **good** [soup](http://127.0.0.1:${port}/soup?a=(1%29), no link.\n\n-   bread`,
  });
  expect(await read('/data')).toMatchObject({ text: '{"a": 1}' });
});

test('what is not text, too large, too deep, endless or failing is refused', async () => {
  await expect(read('/picture')).rejects.toThrow('got image/png.');
  await expect(read('/large')).rejects.toThrow('more than 2 MB');
  await expect(read('/deep', { ...here, conversionMs: 1_000 })).rejects.toThrow('Could not convert the page');
  await expect(read('/failing')).rejects.toThrow('answered with status 503.');
  await expect(read('/circle')).rejects.toThrow('redirects more than 5 times.');
  await expect(read('/never', { ...here, signal: AbortSignal.timeout(300) })).rejects.toThrow(/abort|timeout/i);
});

test('an address of this machine or its network is refused by number, name and redirect', async () => {
  asked = [];
  const strict: PageRules = { signal };
  const refused = 'Expected an address on the public internet';
  for (const host of [
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '127.1',
    '2130706433',
    '0x7f.1',
  ]) {
    await expect(readPage(`http://${host}:${port}/page`, strict)).rejects.toThrow(refused);
  }
  expect(asked).toEqual([]);
  await expect(read('/to-metadata')).rejects.toThrow(`${refused}, got 169.254.169.254`);
  await expect(read('/to-mapped')).rejects.toThrow(refused);
  await expect(read('/to-file')).rejects.toThrow('Expected an address that starts with http:// or https://');
  expect(asked).toEqual(['/to-metadata', '/to-mapped', '/to-file']);
});

test('an address with a password, or of another protocol, is refused', async () => {
  await expect(readPage('http://ada:secret@127.0.0.1/', here)).rejects.toThrow('contains no password');
  await expect(readPage('ftp://127.0.0.1/', here)).rejects.toThrow('Expected an address');
});

test('a host that is not allowed gets no request after a redirect to it', async () => {
  const judged: string[] = [];
  const rules: PageRules = {
    ...here,
    async refuseRedirect({ hostname }) {
      judged.push(hostname);
      return hostname === 'other.example.org' ? 'a rule decides.' : undefined;
    },
  };
  await expect(read('/to-other', rules)).rejects.toThrow('redirects to other.example.org: a rule decides.');
  await read('/to-page', rules);
  expect(judged).toEqual(['other.example.org']);
});

test('a name that resolves to a private address when connecting is refused', async () => {
  const looked: string[] = [];
  const rules: PageRules = {
    ...here,
    isAllowed: (address) => {
      looked.push(address);
      return false;
    },
  };
  await expect(readPage(`http://localhost:${port}/page`, rules)).rejects.toThrow(
    'Expected an address on the public internet',
  );
  expect(looked.length).toBeGreaterThan(0);
});
