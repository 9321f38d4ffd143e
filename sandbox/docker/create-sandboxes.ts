import type Docker from 'dockerode';
import type { Sandboxes } from '../sandbox.ts';
import { closeSandbox, releaseSandbox, stopSandbox } from './close-sandbox.ts';
import { forkSandbox } from './fork-sandbox.ts';
import { connectDocker } from './host/connect-docker.ts';
import { translateHostErrors } from './host/host-errors.ts';
import type { HostNetwork } from './host/host-network.ts';
import { listKept, listSandboxes } from './list-sandboxes.ts';
import { findSandbox, openSandbox, type SandboxHost } from './open-sandbox.ts';
import { pruneVolumes } from './prune-volumes.ts';

export interface SandboxesDependencies {
  /** From `connectDocker`; the local daemon if absent. */
  docker?: Docker;
  /** How the container host reaches the internet, from `readHostNetwork`; no proxy or extra certificates if absent. */
  network?: HostNetwork;
  /** Keeps the sandboxes of several stacks on one container host apart: only those with this label are listed and pruned. */
  stack?: string;
}

/** The sandboxes of one container host. */
export function createSandboxes({
  docker = connectDocker(),
  network = { proxy: {}, caFiles: [] },
  stack,
}: SandboxesDependencies): Sandboxes {
  let cpus: Promise<number> | undefined;
  const host: SandboxHost = {
    docker,
    network,
    stack,
    cpus() {
      cpus ??= docker.info().then(
        (info: { NCPU: number }) => info.NCPU,
        (error: unknown) => {
          cpus = undefined;
          throw error;
        },
      );
      return cpus;
    },
  };
  return {
    open: (spec) => translateHostErrors(() => openSandbox(host, spec)),
    fork: (base, name) => translateHostErrors(() => forkSandbox(host, base, name)),
    find: (name) => translateHostErrors(() => findSandbox(host, name)),
    stop: (name) => translateHostErrors(() => stopSandbox(docker, name)),
    release: (name) => translateHostErrors(() => releaseSandbox(docker, name)),
    close: (name) => translateHostErrors(() => closeSandbox(docker, name)),
    list: () => translateHostErrors(() => listSandboxes(docker, stack)),
    pruneVolumes: () => translateHostErrors(() => pruneVolumes(docker, stack)),
    listKept: () => translateHostErrors(() => listKept(docker, stack)),
  };
}
