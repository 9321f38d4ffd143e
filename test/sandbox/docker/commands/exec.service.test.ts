import { afterAll, expect, test } from '@jest/globals';
import { exec } from '../../../../sandbox/docker/commands/exec.ts';
import { createTestSandboxes } from '../../test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

test('a flood in the output of the harness ends with the sandbox stopped, not with the memory full', async () => {
  const { name } = await host.open();
  const container = host.container(name);
  await expect(exec({ container, command: ['yes'] })).rejects.toMatchObject({ code: 'OutputTooLong' });
  expect((await container.inspect()).State.Running).toBe(false);
});
