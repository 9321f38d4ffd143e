import { randomBytes } from 'node:crypto';
import Docker from 'dockerode';
import { packageRoot } from '../../config/package-root.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import type { CommandRequest, CommandResult, Sandbox, SandboxSpec } from '../../sandbox/sandbox.ts';

/** The image of sandboxes in tests. */
export const testImage = process.env.SANDBOX_IMAGE || (await imageTag(packageRoot()));

/** Sandboxes for one test file, on the real container host, under a stack label of their own. */
export function createTestSandboxes() {
  const docker = new Docker();
  const stack = `test-${randomBytes(6).toString('hex')}`;
  const sandboxes = createSandboxes({ docker, stack, gatewayImage: testImage });
  let count = 0;
  const spec = (changes: Partial<SandboxSpec> = {}): SandboxSpec => ({
    name: `${stack}-${++count}`,
    owner: { project: 'test-project', owner: 'test-session', purpose: 'session' },
    image: testImage,
    ...changes,
  });
  return {
    docker,
    stack,
    sandboxes,
    spec,
    async open(changes: Partial<SandboxSpec> = {}): Promise<Sandbox> {
      return sandboxes.open(spec(changes));
    },
    /** Finds an existing sandbox. */
    async reopen(name: string): Promise<Sandbox> {
      const sandbox = await sandboxes.find(name);
      if (!sandbox) throw new Error(`Expected a sandbox ${name}, found none.`);
      return sandbox;
    },
    container(name: string): Docker.Container {
      return docker.getContainer(`longhaul-${name}`);
    },
    async closeAll(): Promise<void> {
      await Promise.all((await sandboxes.list()).map(({ name }) => sandboxes.close(name)));
      await sandboxes.closeGateways('all');
    },
  };
}

/** Runs a command with a time limit of a minute unless told otherwise. */
export function runIn(
  sandbox: Sandbox,
  id: string,
  script: string,
  more: Partial<CommandRequest> = {},
): Promise<CommandResult> {
  return sandbox.run({ id, script, timeoutMs: 60_000, ...more });
}

/** A command's output without the newline at its end. */
export async function outputOf(sandbox: Sandbox, id: string, script: string): Promise<string> {
  return (await runIn(sandbox, id, script)).output.text.trimEnd();
}

/** Polls every 50 ms, for at most 120 s, until `look` resolves with true. */
export async function waitFor(look: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error('Waited 120 s in vain.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
