import { stackId } from '../../config/stack-id.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import { endProcess } from '../processes/end-process.ts';
import { forgetOwnDaemon, readOwnDaemon } from './daemon-record.ts';

/** A container is stopped within 2 s; a daemon that has said nothing for so long hangs. Milliseconds. */
const silentMs = 8_000;

/** Leaves nothing of this home running on Docker: stops its sandboxes, then the daemon if set-up started it and nobody else uses it. */
export async function releaseDocker(
  home: string,
  host: string,
  environment: Record<string, string | undefined>,
): Promise<void> {
  await stopSandboxes(host, home, environment);
  await stopOwnDaemon(home, host);
}

/** Stops the running sandboxes of this home without removing them, so their files stay, and removes their network gateways, which have none. */
export async function stopSandboxes(
  host: string,
  home: string,
  environment: Record<string, string | undefined>,
): Promise<void> {
  const sandboxes = createSandboxes({ docker: connectDocker(host, { silentMs, environment }), stack: stackId(home) });
  const running = (await sandboxes.list()).filter((sandbox) => sandbox.running);
  await Promise.all(running.map(({ name }) => sandboxes.stop(name)));
  await sandboxes.closeGateways('all');
}

/**
 * Stops the Docker daemon that this home's set-up started, unless a container runs on it. Returns what was done: `not-ours` if set-up found a daemon
 * that was already there.
 */
export async function stopOwnDaemon(home: string, host: string): Promise<'not-ours' | 'in-use' | 'stopped'> {
  const daemon = readOwnDaemon(home);
  if (daemon === undefined) return 'not-ours';
  const running = await connectDocker(host, { silentMs }).listContainers();
  if (running.length > 0) return 'in-use';
  // dockerd ends its containerd itself, but would leave it behind if it were killed, so the grace period is long.
  await endProcess(daemon, { signal: 'SIGTERM', graceMs: 5_000 });
  forgetOwnDaemon(home);
  return 'stopped';
}
