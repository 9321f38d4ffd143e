import { afterAll, expect, test } from '@jest/globals';
import { createTestSandboxes, outputOf, runIn, waitFor } from './test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

test('a sandbox found again is running, one that was stopped is restarted with its files', async () => {
  const spec = host.spec();
  const first = await host.sandboxes.open(spec);
  expect(first.origin).toBe('created');
  await runIn(first, 'write', 'echo kept >/workspace/file; echo kept >~/file');
  expect((await host.sandboxes.open(spec)).origin).toBe('running');
  await host.sandboxes.stop(spec.name);
  await host.sandboxes.stop(spec.name);
  expect(await host.sandboxes.list()).toMatchObject([{ name: spec.name, owner: spec.owner, running: false }]);
  const again = await host.reopen(spec.name);
  expect(again.origin).toBe('restarted');
  expect(await outputOf(again, 'look', 'cat /workspace/file ~/file')).toBe('kept\nkept');
  await host.sandboxes.close(spec.name);
});

test('what was under way when the sandbox stopped is interrupted, with its output, and not run again', async () => {
  const spec = host.spec();
  const sandbox = await host.sandboxes.open(spec);
  const running = runIn(sandbox, 'work', 'echo begun; echo ran >>/workspace/runs; sleep 300');
  running.catch(() => undefined);
  await waitFor(async () => (await outputOf(sandbox, `look-${Date.now()}`, 'cat runs 2>&1')) === 'ran');
  const stopped = expect(running).rejects.toMatchObject({ code: 'SandboxStopped' });
  await host.sandboxes.stop(spec.name);
  await stopped;
  const again = await host.sandboxes.open(spec);
  const result = await runIn(again, 'work', 'echo ran >>/workspace/runs');
  expect(result).toMatchObject({ outcome: 'interrupted', exitCode: null, output: { text: 'begun\n' } });
  expect(await runIn(again, 'work', 'true')).toEqual(result);
  expect(await outputOf(again, 'look', 'cat runs')).toBe('ran');
  await host.sandboxes.close(spec.name);
});

test('a stop is quick even while something runs', async () => {
  const limit = 2_000; // the time after which a process that ignores the signal is killed
  const took: number[] = [];
  // The quickest of three counts, since a busy machine may slow one down.
  while (took.length < 3 && !took.some((time) => time < limit)) {
    const sandbox = await host.open();
    await runIn(sandbox, 'server', 'sleep 1000 & true');
    const began = Date.now();
    await host.sandboxes.stop(sandbox.name);
    took.push(Date.now() - began);
    await host.sandboxes.close(sandbox.name);
  }
  expect(Math.min(...took)).toBeLessThan(limit);
});

test('a sandbox closed and opened again under its name is empty', async () => {
  const spec = host.spec();
  await runIn(await host.sandboxes.open(spec), 'write', 'echo old >/workspace/file');
  await host.sandboxes.close(spec.name);
  await host.sandboxes.close(spec.name);
  expect(await host.sandboxes.find(spec.name)).toBeUndefined();
  const again = await host.sandboxes.open(spec);
  expect(again.origin).toBe('created');
  expect(await outputOf(again, 'write', 'ls /workspace | wc -l')).toBe('0');
  await host.sandboxes.close(spec.name);
});

test('a sandbox whose creation was interrupted before its start is opened as new', async () => {
  const spec = host.spec();
  await host.sandboxes.open(spec);
  const { Config, HostConfig } = await host.container(spec.name).inspect();
  await host.sandboxes.close(spec.name);
  await host.docker.createContainer({ ...Config, HostConfig, name: `longhaul-${spec.name}` });
  const opened = await host.sandboxes.open(spec);
  expect(opened.origin).toBe('created');
  expect(await runIn(opened, 'works', 'echo yes >/workspace/file')).toMatchObject({ exitCode: 0 });
  await host.sandboxes.close(spec.name);
});

test('two callers that open the same sandbox at the same time get the same one', async () => {
  const spec = host.spec();
  const [one, two] = await Promise.all([host.sandboxes.open(spec), host.sandboxes.open(spec)]);
  await runIn(one, 'write', 'echo shared >/workspace/file');
  expect(await outputOf(two, 'read', 'cat /workspace/file')).toBe('shared');
  expect(await host.sandboxes.list()).toHaveLength(1);
  await host.sandboxes.close(spec.name);
});
