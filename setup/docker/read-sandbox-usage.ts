import type { Configuration } from '../../config/configuration.ts';
import { stackId } from '../../config/stack-id.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import type { SandboxListing, SandboxUsage } from '../../sandbox/sandbox.ts';
import { SetupError } from '../setup-error.ts';
import { describeAbsence } from './docker-unavailable-error.ts';
import { findDaemon } from './find-daemon.ts';

export interface ListedSandbox extends SandboxListing {
  /** Undefined if it does not run. */
  usage: SandboxUsage | undefined;
}

/**
 * The sandboxes of a data folder with what each uses at the moment; takes two seconds or more.
 * @throws {SetupError} DockerUnavailable
 */
export async function readSandboxUsage(
  { home, docker, sandbox }: Configuration,
  environment: Record<string, string | undefined>,
): Promise<ListedSandbox[]> {
  const daemon = await findDaemon(docker.host, environment);
  if (!('version' in daemon)) throw new SetupError('DockerUnavailable', describeAbsence(daemon));
  const sandboxes = createSandboxes({
    docker: connectDocker(daemon.host, { environment }),
    stack: stackId(home),
    diskQuota: sandbox.disk,
  });
  const listed = await sandboxes.list();
  return Promise.all(listed.map(async (one) => ({ ...one, usage: await sandboxes.measure(one.name) })));
}
