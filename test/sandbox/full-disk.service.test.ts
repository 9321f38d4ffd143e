import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { docker } from '../support/work/sandboxes-of.ts';
import { makeRepository } from './make-repository.ts';
import { createTestSandboxes, outputOf, runIn, testImage } from './test-sandboxes.ts';

const host = createTestSandboxes();
let repository: Awaited<ReturnType<typeof makeRepository>>;
/** With a workspace in memory, which the first test fills. */
let sandbox: Sandbox;

beforeAll(async () => {
  repository = await makeRepository({ 'a.txt': 'a\n' });
  sandbox = await host.open({ limits: { workspaceBytes: 8 * 1024 ** 2 } });
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
});
afterAll(async () => {
  await host.closeAll();
  await repository?.remove();
});

test('a command that fills the workspace has its result, and what comes after it runs', async () => {
  const result = await runIn(sandbox, 'fill', 'echo changed >a.txt; head -c 20000000 /dev/zero >large; echo "exit $?"');
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  expect(result.output.text).toMatch(/No space left on device\nexit 1\n/);
  expect(await outputOf(sandbox, 'look', 'stat -c %s large; echo again')).toMatch(/^[78]\d{6}\nagain$/);
});

test('a full workspace still gives its snapshot', async () => {
  const { bundle, commit } = await sandbox.snapshot(repository.commit);
  expect(await repository.take(bundle, commit)).toEqual(expect.arrayContaining(['a.txt', 'large']));
  expect(await repository.git('show', `${commit}:a.txt`)).toBe('changed');
});

test('a workspace in memory is empty after a stop and says so', async () => {
  expect(await sandbox.loadedCommit()).toBe(repository.commit);
  await host.sandboxes.stop(sandbox.name);
  const again = await host.reopen(sandbox.name);
  expect(await again.loadedCommit()).toBeUndefined();
  await again.loadWorkspace(repository.tar(), repository.commit);
  expect(await outputOf(again, 'look-again', 'cat a.txt')).toBe('a');
});

test('a full home refuses commands in plain words and keeps the results that it has', async () => {
  const other = await host.open();
  const before = await runIn(other, 'before', 'echo before');
  // A folder of another user stands for a full home, since the volume of the home has no size limit to fill up to.
  const volumes = ['--volumes-from', host.container(other.name).id];
  const close = ['chown', 'root', '/home/agent/.longhaul/commands'];
  await docker(undefined, 'run', '--rm', '--user', '0', ...volumes, testImage, ...close);
  await expect(runIn(other, 'after', 'echo after')).rejects.toMatchObject({ code: 'DiskFull' });
  expect(await runIn(other, 'before', 'true')).toEqual(before);
});
