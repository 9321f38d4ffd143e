import { randomBytes } from 'node:crypto';
import type Docker from 'dockerode';
import { readConfiguration } from '../config/configuration.ts';
import { packageRoot } from '../config/package-root.ts';
import { createSandboxes } from '../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../sandbox/docker/host/connect-docker.ts';
import { readHostNetwork } from '../sandbox/docker/host/host-network.ts';
import { imageTag } from '../sandbox/image/image-tag.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';
import { alternate } from './alternate.ts';
import { compare, type Measurement } from './measurement.ts';

const openRounds = 10;
const commandRounds = 30;

/** What a session pays for its network policy: sandboxes behind a gateway compared with sandboxes on Docker's bridge. */
export async function measureIsolation(
  environment: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<Measurement[]> {
  const configuration = readConfiguration(environment);
  const image = configuration.sandbox.image ?? (await imageTag(packageRoot()));
  const docker = connectDocker(configuration.docker.host);
  const stack = `bench-${randomBytes(4).toString('hex')}`;
  const host = { network: readHostNetwork(environment), stack, gatewayImage: image };
  const isolated = createSandboxes({ ...host, docker });
  const bridged = createSandboxes({ ...host, docker: onBridge(docker) });
  const owner = { project: 'bench', owner: stack, purpose: 'session' as const };
  const open = {
    isolated: (name: string) => isolated.open({ name, owner, image, network: 'packages' }),
    bridged: (name: string) => bridged.open({ name, owner, image }),
  };
  try {
    const opening = await alternate(openRounds, signal, {
      isolated: (round) => open.isolated(`${stack}-isolated-${round}`),
      bridged: (round) => open.bridged(`${stack}-bridged-${round}`),
    });
    const run = async (sandboxes: Sandboxes, kind: string, round: number) => {
      const sandbox = await sandboxes.find(`${stack}-${kind}-0`);
      await sandbox?.run({ id: `command-${round}`, script: 'true', timeoutMs: 60_000 });
    };
    const command = await alternate(commandRounds, signal, {
      isolated: (round) => run(isolated, 'isolated', round),
      bridged: (round) => run(bridged, 'bridged', round),
    });
    return [
      compare('opening a sandbox with network "packages"', opening.isolated, opening.bridged, { most: 1.3 }),
      compare('finding it and running a command', command.isolated, command.bridged, { most: 1.1 }),
    ];
  } finally {
    for (const { name } of await isolated.list()) await isolated.close(name);
    await isolated.closeGateways('all');
  }
}

/** Makes sandboxes without a gateway on Docker's bridge, as they would be without a network policy. */
function onBridge(docker: Docker): Docker {
  const createContainer = (options: Docker.ContainerCreateOptions) =>
    docker.createContainer({ ...options, HostConfig: { ...options.HostConfig, NetworkMode: 'bridge' } });
  return Object.assign(Object.create(docker) as Docker, { createContainer });
}
