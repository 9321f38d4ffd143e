import type Docker from 'dockerode';
import { defaultLimits } from '../../limits.ts';
import type { SandboxSpec } from '../../sandbox.ts';
import type { HostNetwork } from '../host/host-network.ts';
import { type Isolation, isolationOf } from '../host/isolation.ts';
import {
  forwarderCommand,
  gatewayMount,
  labelsThroughGateway,
  proxyEnvironment,
  type UsedGateway,
} from '../network/through-gateway.ts';
import { hostNames } from './host-names.ts';
import { keptLabel, reopenedByLabel, stackLabels, toLabels } from './labels.ts';

/**
 * Where the harness's own programs in a sandbox look for executables: folders of the read-only root. The image's PATH may start with a folder that an
 * agent can write to.
 */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The PATH from a container's environment, passed on to what an agent runs. */
export function pathOf(environment: string[] | undefined): string {
  const found = environment?.find((variable) => variable.startsWith('PATH='));
  return found?.slice('PATH='.length) || systemPath;
}

/** A PATH whose first folders are the image's own; those that an agent writes to come last. */
export function trustedFirst(path: string): string {
  const isWritable = (folder: string) =>
    [homeFolder, workspaceFolder, '/tmp'].some((one) => `${folder}/`.startsWith(`${one}/`));
  const folders = path.split(':').filter((folder) => folder.startsWith('/'));
  return [...folders.filter((folder) => !isWritable(folder)), ...folders.filter(isWritable)].join(':');
}

/** The user that everything in a sandbox runs as; by number, since other people's images may not define its name. */
export const agentUser = 1000;
export const homeFolder = '/home/agent';
export const workspaceFolder = '/workspace';
/** The folder of the harness's own files. */
export const harnessFolder = `${homeFolder}/.longhaul`;
/** The path of the host's certificates, if it has any of its own. */
export const certificatesFile = `${harnessFolder}/ca.crt`;

/** Marks a sandbox whose workspace is in memory and is therefore empty after a stop. */
export const memoryWorkspaceLabel = 'longhaul.memory-workspace';

/**
 * Process 1: adopts and reaps orphans, and exits at once on SIGTERM. What it runs is marked so that it is not mistaken for an orphan: a sleep, or the
 * forwarder of a sandbox with network, which it starts again after a second. A restart runs it again after an agent may have written to the home folder.
 */
function initialProcess(hasNetwork: boolean): string[] {
  const marked = (command: string) => `LONGHAUL_COMMAND=initial-process ${command} & wait $!`;
  const work = hasNetwork
    ? `${marked(forwarderCommand(harnessFolder))}; ${marked('sleep 1')}`
    : marked('sleep infinity');
  return [
    '/bin/sh',
    '-c',
    `PATH=${systemPath}; export PATH; exec bash -c "$0"`,
    `trap 'exit 0' TERM INT; while :; do ${work}; done`,
  ];
}

/** Each program looks for trusted certificates under a variable of its own. */
const certificateVariables = [
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'PIP_CERT',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
];

/** The share of the disk's time beside the host's other programs, whose weight is 500; a host without such weights ignores it. */
const diskWeight = 200;

/** Where a fork finds the harness's shell, read-only. */
export const layerFolder = '/run/longhaul';

/** What a fork adds to the files of the sandbox that it begins with; see `createLayer`. */
export interface Layer {
  /** The volume that holds what the fork writes, and the shell. */
  volume: string;
  /** Mount options of the overlays that are the fork's workspace and home. */
  overlays: { workspace: string; home: string };
}

export interface ContainerSpecInput {
  spec: SandboxSpec;
  network: HostNetwork;
  stack: string | undefined;
  /** CPUs of the container host, which rejects a higher limit. */
  hostCpus: number;
  isolation: Isolation;
  /** What makes it a fork of another sandbox. */
  layer?: Layer;
  /** Its only way out; none if absent. */
  gateway?: UsedGateway | undefined;
}

/** The create request for a sandbox's container. */
export function toContainerSpec({
  spec,
  network,
  stack,
  hostCpus,
  isolation,
  layer,
  gateway,
}: ContainerSpecInput): Docker.ContainerCreateOptions {
  const names = hostNames(spec.name);
  const limits = { ...defaultLimits, ...spec.limits };
  const labels = toLabels(spec.name, spec.owner, stack);
  const volumeLabels = spec.keepsFiles ? { ...labels, [keptLabel]: '1' } : labels;
  const inMemory = limits.workspaceBytes !== undefined;
  return {
    name: names.container,
    Image: spec.image,
    User: `${agentUser}:${agentUser}`,
    WorkingDir: workspaceFolder,
    Entrypoint: initialProcess(gateway !== undefined),
    Cmd: [],
    Env: toEnvironment(gateway && network),
    Labels: {
      ...labels,
      ...(gateway && labelsThroughGateway(gateway)),
      ...(inMemory ? { [memoryWorkspaceLabel]: '1' } : {}),
      ...(spec.reopenedBy === undefined ? {} : { [reopenedByLabel]: spec.reopenedBy }),
    },
    StopSignal: 'SIGTERM',
    StopTimeout: 2,
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      Mounts: [
        {
          Type: 'volume',
          Source: names.workspace,
          Target: workspaceFolder,
          VolumeOptions: {
            NoCopy: false,
            Labels: volumeLabels,
            DriverConfig: layer ? toOverlay(layer.overlays.workspace) : toDriver(limits.workspaceBytes),
          },
        },
        {
          Type: 'volume',
          Source: names.home,
          Target: homeFolder,
          VolumeOptions: {
            NoCopy: false,
            Labels: volumeLabels,
            DriverConfig: layer ? toOverlay(layer.overlays.home) : toDriver(limits.homeBytes),
          },
        },
        ...(layer ? [{ Type: 'volume' as const, Source: layer.volume, Target: layerFolder, ReadOnly: true }] : []),
        ...(gateway ? [gatewayMount(gateway.name, stackLabels(stack))] : []),
      ],
      Tmpfs: { '/tmp': `rw,exec,nosuid,nodev,size=${limits.tmpBytes},mode=1777` },
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      ...isolationOf(isolation),
      NetworkMode: 'none', // no interface but loopback: what has network has it through the gateway's socket
      PidsLimit: limits.processes,
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      BlkioWeight: diskWeight,
      NanoCpus: Math.round(Math.min(limits.cpus, hostCpus) * 1e9),
      Ulimits: [
        { Name: 'fsize', Soft: limits.fileBytes, Hard: limits.fileBytes },
        { Name: 'nofile', Soft: 16_384, Hard: 16_384 },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      LogConfig: { Type: 'none', Config: {} },
    },
  };
}

/** The driver of a volume: on disk, or in memory if its size is limited. */
function toDriver(bytes: number | undefined) {
  if (bytes === undefined) return { Name: 'local', Options: {} };
  const o = `size=${bytes},uid=${agentUser},gid=${agentUser},mode=755`;
  return { Name: 'local', Options: { type: 'tmpfs', device: 'tmpfs', o } };
}

/** The driver of a fork's volume. */
function toOverlay(o: string) {
  return { Name: 'local', Options: { type: 'overlay', device: 'overlay', o } };
}

/** The variables of a sandbox; those for network if it has any. */
function toEnvironment(network: HostNetwork | undefined): string[] {
  const variables: Record<string, string> = {
    HOME: homeFolder,
    LANG: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    ...(network && proxyEnvironment),
  };
  if (network?.caFiles.length) for (const name of certificateVariables) variables[name] = certificatesFile;
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}
