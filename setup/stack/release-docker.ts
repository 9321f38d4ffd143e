import { stopOwnDaemon } from '../docker/stop-daemon.ts';
import { stopSandboxes } from '../docker/stop-sandboxes.ts';

/** Leaves nothing of this home running on Docker: stops its sandboxes, then the daemon if set-up started it and nobody else uses it. */
export async function releaseDocker(
  home: string,
  host: string,
  environment: Record<string, string | undefined>,
): Promise<void> {
  await stopSandboxes(host, home, environment);
  await stopOwnDaemon(home, host);
}
