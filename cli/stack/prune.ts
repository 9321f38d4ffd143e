import { expectAddress, findAddresses } from '../../client/connection/addresses.ts';
import { createTemporalAccess } from '../../client/connection/temporal-access.ts';
import { pruneUnowned } from '../../client/prune-unowned.ts';
import { stackId } from '../../config/stack-id.ts';
import { connectDocker } from '../../sandbox/docker/connect-docker.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { DockerUnavailableError, describeAbsence } from '../../setup/docker/docker-unavailable-error.ts';
import { findDaemon } from '../../setup/docker/find-daemon.ts';
import type { CommandContext } from '../program/command-context.ts';

/**
 * Removes this data folder's sandboxes that no live session owns and returns their names. Each worker does the same when it starts, and also removes
 * the files of deleted chats.
 */
export async function prune(context: CommandContext): Promise<string[]> {
  const configuration = await context.configuration();
  const { environment } = context;
  const addresses = await findAddresses(configuration);
  const daemon = await findDaemon(configuration.docker.host, environment);
  if (!('version' in daemon)) throw new DockerUnavailableError(describeAbsence(daemon));
  const docker = connectDocker(daemon.host, { environment });
  const sandboxes = createSandboxes({ docker, stack: stackId(configuration.home) });
  const temporal = createTemporalAccess({
    configuration,
    environment,
    address: () => expectAddress(addresses, 'temporal', configuration.home),
  });
  try {
    return await temporal.use((client) => pruneUnowned(sandboxes, client));
  } finally {
    await temporal.close();
  }
}
