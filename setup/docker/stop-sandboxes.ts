import { stackId } from '../../config/stack-id.ts';
import { connectDocker } from '../../sandbox/docker/connect-docker.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';

/** A container is stopped within 2 s; a daemon that has said nothing for so long hangs. Milliseconds. */
export const silentMs = 8_000;

/** Stops, and does not remove, the running sandboxes of this home: nothing is left running, and what they hold stays. */
export async function stopSandboxes(
  host: string,
  home: string,
  environment: Record<string, string | undefined>,
): Promise<void> {
  const sandboxes = createSandboxes({ docker: connectDocker(host, { silentMs, environment }), stack: stackId(home) });
  const running = (await sandboxes.list()).filter((sandbox) => sandbox.running);
  await Promise.all(running.map(({ name }) => sandboxes.stop(name)));
}
