import type Docker from 'dockerode';
import { scrub } from '../domain/secrets/scrub.ts';
import { createSandboxes } from '../sandbox/docker/create-sandboxes.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';
import { alternate } from './alternate.ts';
import { compare, type Measurement } from './measurement.ts';
import { findSandboxHost } from './sandbox-host.ts';

const openRounds = 10;
const commandRounds = 30;
const lookRounds = 5;

/** Milliseconds between two looks at what a sandbox has on disk. */
const betweenLooks = 10_000;

/** What a command's event and preview may hold, in lines of a usual length. */
const output = 'src/components/table.test.ts:17:5 - expected "GITHUB_TOKEN" in the environment\n'.repeat(50);

/**
 * What a session pays for its network policy, its share of the disk and scrubbing: sandboxes behind a gateway compared with sandboxes on Docker's bridge, the
 * time between two looks with and without a look, and a command with and without the scrubbing of its output.
 */
export async function measureIsolation(
  environment: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<Measurement[]> {
  const { docker, image, network, stack, owner } = await findSandboxHost(environment);
  const host = { network, stack, gatewayImage: image };
  const isolated = createSandboxes({ ...host, docker });
  const bridged = createSandboxes({ ...host, docker: onBridge(docker) });
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
    const { look } = await alternate(lookRounds, signal, {
      look: () => createSandboxes({ ...host, docker }).enforceQuota(), // a host of its own looks at once
    });
    const { length: count } = await isolated.list();
    const { scrubbed } = await alternate(commandRounds, signal, { scrubbed: async () => scrub(output) });
    return [
      compare('opening a sandbox with network "packages"', opening.isolated, opening.bridged, { most: 1.3 }),
      compare('finding it and running a command', command.isolated, command.bridged, { most: 1.1 }),
      compare('10 s of a session, with a look at its disk', betweenLooks + look / count, betweenLooks, { most: 1.1 }),
      compare('a command and scrubbing 4 KB of its output', command.isolated + scrubbed, command.isolated, {
        most: 1.1,
      }),
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
