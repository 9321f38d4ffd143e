import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { packageRoot } from '../../../config/package-root.ts';
import { createSandboxes } from '../../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../../sandbox/docker/host/connect-docker.ts';
import type { Sandboxes } from '../../../sandbox/sandbox.ts';
import { makeRepository } from '../make-repository.ts';
import { createTestSandboxes, runIn, testImage } from '../test-sandboxes.ts';

// The proxy of docker-compose.yml lets through what these patterns allow; here a few lines stand in for it, before the real daemon.
const { services } = parse(readFileSync(join(packageRoot(), 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: { 'docker-proxy': { command: string[] } };
};
const allowed = new Map(
  services['docker-proxy'].command.flatMap((option) => {
    const [, method, pattern] = /^-allow([A-Z]+)=(.*)$/.exec(option) ?? [];
    return method && pattern ? [[method, new RegExp(`^${pattern}$`)] as const] : [];
  }),
);
const isAllowed = ({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>) =>
  allowed.get(method)?.test(decodeURIComponent(url.replace(/\?.*/, ''))) ?? false;

const socketPath = '/var/run/docker.sock';
const refused: string[] = [];
const host = createTestSandboxes();
const server = createServer((incoming, response) => {
  if (!isAllowed(incoming)) {
    refused.push(`${incoming.method} ${incoming.url}`);
    response.writeHead(403).end(JSON.stringify({ message: `refused: ${refused.at(-1)}` }));
    return;
  }
  const { method = '', url = '', headers } = incoming;
  const onward = send({ socketPath, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    response.flushHeaders(); // an attached stream may say nothing for long
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  incoming.pipe(onward);
});
server.on('upgrade', (incoming, socket, head) => {
  if (!isAllowed(incoming)) {
    refused.push(`${incoming.method} ${incoming.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  const lines = Array.from({ length: incoming.rawHeaders.length / 2 }, (_, index) =>
    incoming.rawHeaders.slice(2 * index, 2 * index + 2).join(': '),
  );
  const onward = connect({ path: socketPath, allowHalfOpen: true });
  onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  onward.write(head);
  for (const one of [socket, onward]) one.on('error', () => {});
  socket.pipe(onward);
  onward.pipe(socket);
});
let sandboxes: Sandboxes;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  sandboxes = createSandboxes({
    docker: connectDocker(`tcp://127.0.0.1:${port}`, { environment: {} }),
    stack: host.stack,
    gatewayImage: testImage,
  });
});
afterAll(async () => {
  await host.closeAll();
  server.closeAllConnections();
  server.close();
});

test('the proxy of docker-compose.yml lets through every call that a sandbox takes', async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n' });
  const spec = host.spec({ network: 'packages' });
  const sandbox = await sandboxes.open(spec);
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  expect(await runIn(sandbox, 'one', 'cat; cat a.txt', { input: 'in\n' })).toMatchObject({
    output: { text: 'in\na\n' },
  });
  await sandbox.snapshot(repository.commit);
  expect(await sandboxes.refusals(spec.name)).toEqual([]);
  expect(await sandboxes.measure(spec.name)).toMatchObject({ files: expect.any(Number) });
  await sandboxes.enforceQuota();
  await sandboxes.stop(spec.name);
  const fork = await sandboxes.fork(spec.name, `${spec.name}-fork`);
  expect(await fork.execute({ script: 'cat a.txt', timeoutMs: 30_000 })).toMatchObject({ exitCode: 0 });
  await sandboxes.close(fork.name);
  await sandboxes.close(spec.name);
  await sandboxes.pruneVolumes();
  await sandboxes.closeGateways('unused');
  expect(await sandboxes.list()).toEqual([]);
  expect(refused).toEqual([]);
});

test.each([
  ['POST', '/containers/some/update'],
  ['POST', '/commit'],
  ['POST', '/build'],
  ['POST', '/images/create'],
  ['POST', '/plugins/pull'],
  ['POST', '/swarm/init'],
  ['POST', '/containers/../plugins/pull'],
  ['GET', '/containers/some/export'],
  ['GET', '/secrets'],
  ['DELETE', '/images/some'],
])('and no other: %s %s', (method, url) => {
  expect(isAllowed({ method, url })).toBe(false);
});
