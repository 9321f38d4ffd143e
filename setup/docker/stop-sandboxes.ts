import { homeHash } from '../../config/home-hash.ts';
import { connectDocker } from '../../sandbox/connect-docker.ts';
import { createSandboxes } from '../../sandbox/create-sandboxes.ts';

/** Stops, and does not remove, the running sandboxes of this home: nothing is left running, and what they hold stays. */
export async function stopSandboxes(host: string, home: string): Promise<void> {
  const sandboxes = createSandboxes({ docker: connectDocker(host), stack: homeHash(home) });
  const running = (await sandboxes.list()).filter((sandbox) => sandbox.running);
  await Promise.all(running.map(({ name }) => sandboxes.stop(name)));
}
