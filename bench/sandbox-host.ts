import { randomBytes } from 'node:crypto';
import type Docker from 'dockerode';
import { readConfiguration } from '../config/configuration.ts';
import { packageRoot } from '../config/package-root.ts';
import { connectDocker } from '../sandbox/docker/host/connect-docker.ts';
import { type HostNetwork, readHostNetwork } from '../sandbox/docker/host/host-network.ts';
import { imageTag } from '../sandbox/image/image-tag.ts';

/** Where the sandboxes of a benchmark are: on the configured container host, under a stack label of their own. */
export interface SandboxHost {
  docker: Docker;
  image: string;
  network: HostNetwork;
  stack: string;
  owner: { project: string; owner: string; purpose: 'session' };
}

export async function findSandboxHost(environment: Record<string, string | undefined>): Promise<SandboxHost> {
  const configuration = readConfiguration(environment);
  const stack = `bench-${randomBytes(4).toString('hex')}`;
  return {
    docker: connectDocker(configuration.docker.host),
    image: configuration.sandbox.image ?? (await imageTag(packageRoot())),
    network: readHostNetwork(environment),
    stack,
    owner: { project: 'bench', owner: stack, purpose: 'session' },
  };
}
