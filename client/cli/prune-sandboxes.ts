import { homeHash } from '../../config/home-hash.ts';
import { connectDocker } from '../../sandbox/connect-docker.ts';
import { createSandboxes } from '../../sandbox/create-sandboxes.ts';
import { DockerUnavailableError, describeAbsence } from '../../setup/docker/docker-unavailable-error.ts';
import { findDaemon } from '../../setup/docker/find-daemon.ts';
import { expectAddress, findAddresses } from '../connection/addresses.ts';
import { createTemporalAccess } from '../connection/temporal-access.ts';
import { sweepSandboxes } from '../sweep-sandboxes.ts';
import type { CommandContext } from './command-context.ts';

/** Removes the sandboxes of this data folder that no live session owns, as each worker does when it starts; returns their names. */
export async function pruneSandboxes(context: CommandContext): Promise<string[]> {
  const configuration = await context.configuration();
  const { environment } = context;
  const addresses = await findAddresses(configuration);
  const daemon = await findDaemon(configuration.docker.host, environment);
  if (!('version' in daemon)) throw new DockerUnavailableError(describeAbsence(daemon));
  const sandboxes = createSandboxes({ docker: connectDocker(daemon.host), stack: homeHash(configuration.home) });
  const temporal = createTemporalAccess({
    configuration,
    environment,
    address: () => expectAddress(addresses.temporal, 'Temporal', 'TEMPORAL_ADDRESS', configuration.home),
  });
  try {
    return await temporal.use((client) => sweepSandboxes(sandboxes, client));
  } finally {
    await temporal.close();
  }
}
