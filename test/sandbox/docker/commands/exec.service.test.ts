import { afterAll, expect, test } from '@jest/globals';
import { exec, startExec } from '../../../../sandbox/docker/commands/exec.ts';
import { createTestSandboxes } from '../../test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

test('a flood in the output of the harness ends with the sandbox stopped, not with the memory full', async () => {
  const { name } = await host.open();
  const container = host.container(name);
  await expect(exec({ container, command: ['yes'] })).rejects.toMatchObject({ code: 'OutputTooLong' });
  expect((await container.inspect()).State.Running).toBe(false);
});

test('a program of the harness that something holds up ends with the sandbox stopped, not with the worker waiting', async () => {
  const { name } = await host.open();
  const container = host.container(name);
  const held = exec({ container, command: ['bash', '-c', 'mkfifo /tmp/pipe; cat /tmp/pipe'], timeLimitMs: 500 });
  await expect(held).rejects.toMatchObject({
    code: 'ProgramTooSlow',
    failureType: 'WorkspaceUnusable',
    retryable: false,
    message: expect.stringContaining('for 0.5 s'),
  });
  expect((await container.inspect()).State.Running).toBe(false);
});

test('a log that does not come to its end is given up', async () => {
  const sandbox = await host.open();
  const container = host.container(sandbox.name);
  const started = await startExec({ container, command: ['bash', '-c', 'echo 1; sleep 60'], timeLimitMs: 500 });
  const read = async () => {
    for await (const _ of started.pieces);
  };
  await expect(read()).rejects.toMatchObject({ code: 'ProgramTooSlow' });
});
