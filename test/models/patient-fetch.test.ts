import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordExchanges } from '../../models/cassette/record-exchanges.ts';
import { patientFetch } from '../../models/patient-fetch.ts';
import { withImpatientNode } from '../support/impatient-node.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-recording-'));
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
    const silence = () => (search === '?for-ever' ? once(response, 'close') : sleep(2500));
    if (pathname === '/headers') await silence();
    response.write('one ');
    if (pathname === '/body') await silence();
    response.end('two');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  server.close();
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
});
