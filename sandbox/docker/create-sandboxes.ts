import type Docker from 'dockerode';
import { type DiskQuota, defaultDiskQuota } from '../limits.ts';
import type { Sandboxes } from '../sandbox.ts';
import { closeSandbox, releaseSandbox, stopSandbox } from './close-sandbox.ts';
import { forkSandbox } from './fork-sandbox.ts';
import { connectDocker } from './host/connect-docker.ts';
import { translateHostErrors } from './host/host-errors.ts';
import type { HostNetwork } from './host/host-network.ts';
import type { Isolation } from './host/isolation.ts';
import { listKept, listSandboxes } from './list-sandboxes.ts';
import { closeGateways } from './network/close-gateways.ts';
import { readRefusals } from './network/read-refusals.ts';
import { findSandbox, openSandbox, type SandboxHost } from './open-sandbox.ts';
import { pruneVolumes } from './prune-volumes.ts';
import { createDiskQuota } from './quota/disk-quota.ts';
import { measureSandbox } from './quota/measure-sandbox.ts';

export interface SandboxesDependencies {
  /** From `connectDocker`; the local daemon if absent. */
  docker?: Docker;
  /** How the container host reaches the internet, from `readHostNetwork`; no proxy or extra certificates if absent. */
  network?: HostNetwork;
  /** Keeps the sandboxes of several stacks on one container host apart: only those with this label are listed and pruned. */
  stack?: string;
  /** How its containers are kept apart from the host, beyond what always holds. */
  isolation?: Isolation;
  /** What each sandbox may have on disk; `defaultDiskQuota` if absent. */
  diskQuota?: DiskQuota;
  /** An image with node, which runs the network gateways; without it no sandbox can have network. */
  gatewayImage?: string;
  /** Hosts that count as package registries beside the known ones. */
  registries?: readonly string[];
}

/** The sandboxes of one container host. */
export function createSandboxes({
  docker = connectDocker(),
  network = { proxy: {}, caFiles: [], addresses: [] },
  stack,
  isolation = {},
  diskQuota = defaultDiskQuota,
  gatewayImage,
  registries = [],
}: SandboxesDependencies): Sandboxes {
  const quota = createDiskQuota({ docker, stack, quota: diskQuota, isolation });
  let cpus: Promise<number> | undefined;
  const host: SandboxHost = {
    docker,
    network,
    stack,
    isolation,
    quota,
    gatewayImage,
    registries,
    shells: new Map(),
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
    enforceQuota: () => translateHostErrors(() => quota.enforce()),
    measure: (name) => translateHostErrors(() => measureSandbox(docker, name, diskQuota, isolation)),
    closeGateways: (which) => translateHostErrors(() => closeGateways(docker, stack, which)),
    refusals: (name) => translateHostErrors(() => readRefusals(docker, name)),
    listKept: () => translateHostErrors(() => listKept(docker, stack)),
  };
}
