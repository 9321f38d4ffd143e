import { afterAll, expect, test } from '@jest/globals';
import { createSandboxes } from '../../../../sandbox/docker/create-sandboxes.ts';
import { mebibyte } from '../../../../sandbox/limits.ts';
import type { Sandboxes } from '../../../../sandbox/sandbox.ts';
import { createTestSandboxes, runIn } from '../../test-sandboxes.ts';

const host = createTestSandboxes();
const sandboxes = createSandboxes({
  docker: host.docker,
  stack: host.stack,
  diskQuota: { bytes: 50 * mebibyte, files: 5_000 },
});
afterAll(() => host.closeAll());

/** Until the watch has stopped something, as a worker does it. */
async function enforce(over: Pick<Sandboxes, 'enforceQuota'>): Promise<string[]> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const stopped = await over.enforceQuota();
    if (stopped.length) return stopped;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('Expected a sandbox to be stopped within a minute.');
}

test.each([
  [
    'bytes',
    'for i in 1 2 3 4; do head -c 20M /dev/zero >~/large$i; done',
    /uses 0\.1 GiB of disk, its share is 0\.0 GiB/,
  ],
  [
    'files, in folders that its own user cannot read',
    'mkdir deep; cd deep; seq 6000 | xargs touch; chmod 000 .',
    /has more than 5,000 files/,
  ],
])('a sandbox with too many %s is stopped, and whatever uses it is told so', async (_, script, message) => {
  const spec = host.spec();
  const sandbox = await sandboxes.open(spec);
  const running = runIn(sandbox, 'fills', `${script}; sleep 60`);
  const told = expect(running).rejects.toMatchObject({
    code: 'QuotaExceeded',
    failureType: 'WorkspaceUnusable',
    retryable: false,
    message: expect.stringMatching(message),
  });
  expect(await enforce(sandboxes)).toEqual([expect.stringMatching(message)]);
  await told;
  // Another worker, which did not stop it, learns the same.
  const another = createSandboxes({
    docker: host.docker,
    stack: host.stack,
    diskQuota: { bytes: 50 * mebibyte, files: 5_000 },
  });
  await expect(another.find(spec.name)).rejects.toMatchObject({ code: 'QuotaExceeded' });
  await sandboxes.close(spec.name);
});

test('a fork is held by what it writes itself', async () => {
  const spec = host.spec();
  await sandboxes.open(spec);
  await sandboxes.stop(spec.name);
  const fork = await sandboxes.fork(spec.name, `${spec.name}-fork`);
  const running = fork.execute({
    script: 'for i in 1 2 3 4; do head -c 20M /dev/zero >large$i; done; sleep 60',
    timeoutMs: 60_000,
  });
  const told = expect(running).rejects.toMatchObject({ code: 'QuotaExceeded' });
  await enforce(sandboxes);
  await told;
  await sandboxes.close(fork.name);
  await sandboxes.close(spec.name);
});

test('a sandbox that keeps within its share is left alone, and what it uses can be seen', async () => {
  const spec = host.spec();
  const sandbox = await sandboxes.open(spec);
  await runIn(sandbox, 'writes', 'head -c 20M /dev/zero >large; touch a b c');
  expect(await sandboxes.enforceQuota()).toEqual([]);
  const usage = await sandboxes.measure(spec.name);
  expect(usage?.diskBytes).toBeGreaterThan(20 * mebibyte);
  expect(usage?.diskBytes).toBeLessThan(30 * mebibyte);
  expect(usage?.memoryBytes).toBeGreaterThan(0);
  expect(usage?.processes).toBeGreaterThan(0);
  expect(await runIn(sandbox, 'alive', 'echo alive')).toMatchObject({ output: { text: 'alive\n' } });
  await sandboxes.close(spec.name);
  const left = await host.docker.listContainers({ all: true, filters: { label: [`longhaul.stack=${host.stack}`] } });
  expect(left.map(({ Names }) => Names[0])).toEqual([]);
});
