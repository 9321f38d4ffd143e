import { afterAll, expect, test } from '@jest/globals';
import { docker } from '../support/work/sandboxes-of.ts';
import { makeRepository } from './make-repository.ts';
import { createTestSandboxes, outputOf, runIn, testImage } from './test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

test('a command that fills the workspace has its result, and what comes after it runs', async () => {
  const sandbox = await host.open({ limits: { workspaceBytes: 8 * 1024 ** 2 } });
  const result = await runIn(sandbox, 'fill', 'head -c 20000000 /dev/zero >large; echo "exit $?"');
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  expect(result.output.text).toMatch(/No space left on device\nexit 1\n/);
  expect(await outputOf(sandbox, 'look', 'stat -c %s large; rm large; echo again')).toMatch(/^8\d+\nagain$/);
});

test('a full workspace still gives its snapshot', async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n' });
  const sandbox = await host.open({ limits: { workspaceBytes: 8 * 1024 ** 2 } });
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  await runIn(sandbox, 'fill', 'echo changed >a.txt; head -c 20000000 /dev/zero >large');
  const { bundle, commit } = await sandbox.snapshot(repository.commit);
  expect(await repository.take(bundle, commit)).toEqual(expect.arrayContaining(['a.txt', 'large']));
  await repository.remove();
});

test('a full home refuses commands in plain words and keeps the results that it has', async () => {
  const sandbox = await host.open();
  const before = await runIn(sandbox, 'before', 'echo before');
  // A folder of another user stands for a full home, since the volume of the home has no size limit to fill up to.
  const volumes = ['--volumes-from', host.container(sandbox.name).id];
  const close = ['chown', 'root', '/home/agent/.longhaul/commands'];
  await docker(undefined, 'run', '--rm', '--user', '0', ...volumes, testImage, ...close);
  await expect(runIn(sandbox, 'after', 'echo after')).rejects.toMatchObject({ code: 'DiskFull' });
  expect(await runIn(sandbox, 'before', 'true')).toEqual(before);
});

test('a workspace in memory is empty after a stop and says so', async () => {
  const repository = await makeRepository({ 'a.txt': 'a\n' });
  const sandbox = await host.open({ limits: { workspaceBytes: 8 * 1024 ** 2 } });
  await sandbox.loadWorkspace(repository.tar(), repository.commit);
  expect(await sandbox.loadedCommit()).toBe(repository.commit);
  await host.sandboxes.stop(sandbox.name);
  const again = await host.reopen(sandbox.name);
  expect(await again.loadedCommit()).toBeUndefined();
  await again.loadWorkspace(repository.tar(), repository.commit);
  expect(await outputOf(again, 'look', 'cat a.txt')).toBe('a');
  await repository.remove();
});
