import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { performStep } from '../../../setup/setup-step.ts';
import { createSandboxImageStep } from '../../../setup/steps/sandbox-image.ts';
import { makeContext } from '../test-configuration.ts';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const dayMs = 24 * 60 * 60 * 1000;

/** A container host whose images were built so many days ago, and that builds one if it can; only these two calls matter here. */
async function startHost({ ageDays, canBuild = true }: { ageDays: number; canBuild?: boolean }) {
  const builds: URLSearchParams[] = [];
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://host');
    response.setHeader('Content-Type', 'application/json');
    if (request.method === 'POST' && url.pathname === '/build') {
      builds.push(url.searchParams);
      request.resume();
      response.end(
        `${JSON.stringify(canBuild ? { stream: 'built' } : { error: 'no network', errorDetail: { message: 'no network' } })}\n`,
      );
    } else {
      response.end(JSON.stringify({ Id: 'sha256:1', Created: new Date(Date.now() - ageDays * dayMs).toISOString() }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return { host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, builds };
}

async function setUp(host: string): Promise<string> {
  const { context, remove } = makeContext();
  ends.push(remove);
  await performStep(createSandboxImageStep({ host, version: '1' }, {}), context);
  return context.reporter.lines.join('\n');
}

test('an image that is older than 30 days is built anew, past every cache, and the person is told', async () => {
  const { host, builds } = await startHost({ ageDays: 31.5 });
  expect(await setUp(host)).toMatch(/longhaul-sandbox:\w+, built again, since it was 31 days old/);
  expect(builds.map((query) => query.get('nocache'))).toEqual(['true']);
});

test('where it cannot be built anew, the old one serves, and the person is told why', async () => {
  const { host, builds } = await startHost({ ageDays: 45, canBuild: false });
  expect(await setUp(host)).toMatch(/45 days old; it could not be built again: no network/);
  expect(builds).toHaveLength(1);
});

test('a younger one is taken as it is', async () => {
  const { host, builds } = await startHost({ ageDays: 29 });
  expect(await setUp(host)).toMatch(/already there/);
  expect(builds).toEqual([]);
});
