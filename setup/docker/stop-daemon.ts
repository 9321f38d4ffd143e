import { connectDocker } from '../../sandbox/docker/connect-docker.ts';
import { endProcess } from '../processes/end-process.ts';
import { forgetOwnDaemon, readOwnDaemon } from './daemon-record.ts';
import { silentMs } from './stop-sandboxes.ts';

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
