import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { SandboxError } from '../../errors.ts';
import { mebibyte } from '../../limits.ts';
import { demultiplex } from '../commands/exec.ts';
import { systemPath } from '../container/container-spec.ts';
import { stackLabels } from '../container/labels.ts';
import { hasStatus } from '../host/host-errors.ts';
import { type GatewayHost, gatewayFolder, gatewayProgram, gatewaySettings } from './gateway-settings.ts';
import { gatewayKeyLabel, gatewayLabel, type UsedGateway } from './through-gateway.ts';

export interface GatewayContainerHost extends GatewayHost {
  docker: Docker;
  /** An image with node; needed by sandboxes with network. */
  gatewayImage: string | undefined;
}

const startMs = 15_000;

/**
 * Sees to it that a gateway runs: makes it, or starts it again if it ended. Its volume must be there, as it is with a sandbox that mounts it.
 * @throws {SandboxError} GatewayFailed if it does not begin to listen; InterpreterMissing if the image has no node.
 */
export async function ensureGateway(host: GatewayContainerHost, used: UsedGateway): Promise<void> {
  const container = host.docker.getContainer(used.name);
  const state = await inspect(container);
  if (state?.State.Running) return;
  if (state === undefined) await create(host, used);
  try {
    await container.start();
  } catch (error) {
    // 304: somebody else started it. 404: somebody removed it as unused before its sandbox was there.
    if (hasStatus(error, 404)) return ensureGateway(host, used);
    if (!hasStatus(error, 304)) throw asMissingNode(error, host);
  }
  await untilListening(container);
}

/** The key that signs the names of a gateway's sandboxes. */
export async function readGatewayKey(docker: Docker, name: string): Promise<string> {
  const { Labels } = await docker.getVolume(name).inspect();
  const key = Labels?.[gatewayKeyLabel];
  if (key) return key;
  throw new SandboxError(
    'GatewayFailed',
    `Expected the volume ${name} to have the label ${gatewayKeyLabel}, found none. Remove the volume, then open the sandbox again.`,
  );
}

async function create(host: GatewayContainerHost, { name, ...access }: UsedGateway): Promise<void> {
  const { docker, stack, gatewayImage } = host;
  if (gatewayImage === undefined) throw new Error('Expected `gatewayImage`, since a sandbox is to have network.');
  const settings = gatewaySettings(host, access, await readGatewayKey(docker, name));
  try {
    const container: Docker.ContainerCreateOptions = {
      Image: gatewayImage,
      User: '0:0', // without capabilities: the owner of the socket's folder, and no more
      WorkingDir: '/',
      Entrypoint: ['node', '--max-old-space-size=128', '-e', gatewayProgram()],
      Cmd: [],
      // Each lookup of a name takes a thread.
      Env: [`PATH=${systemPath}`, 'UV_THREADPOOL_SIZE=64', `LONGHAUL_GATEWAY=${JSON.stringify(settings)}`],
      Labels: { ...stackLabels(stack), [gatewayLabel]: name },
      Healthcheck: { Test: ['NONE'] },
      HostConfig: {
        Mounts: [{ Type: 'volume', Source: name, Target: gatewayFolder, VolumeOptions: noCopy }],
        NetworkMode: 'bridge',
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        PidsLimit: 128,
        Memory: 256 * mebibyte,
        MemorySwap: 256 * mebibyte,
        Ulimits: [{ Name: 'nofile', Soft: 16_384, Hard: 16_384 }],
        RestartPolicy: { Name: 'on-failure' }, // after a restart of the daemon, the next look for a sandbox starts it
        LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '2' } },
      },
    };
    // dockerode would also put all of it into the address, which proxies limit and log.
    await docker.createContainer({ _query: { name }, _body: container } as Docker.ContainerCreateOptions);
  } catch (error) {
    if (!hasStatus(error, 409)) throw error; // a concurrent caller created it first
  }
}

const noCopy = { NoCopy: true, Labels: {}, DriverConfig: { Name: 'local', Options: {} } };

async function inspect(container: Docker.Container): Promise<Docker.ContainerInspectInfo | undefined> {
  try {
    return await container.inspect();
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

/** It says so in its log. */
async function untilListening(container: Docker.Container): Promise<void> {
  const { StartedAt } = (await container.inspect()).State;
  const log = (await container.logs({
    ...{ follow: true, stdout: true, stderr: true },
    since: Math.floor(Date.parse(StartedAt) / 1000),
  })) as unknown as Readable;
  const timer = setTimeout(() => log.destroy(), startMs);
  let said = '';
  try {
    for await (const { bytes } of demultiplex(log)) {
      said += bytes.toString('utf8');
      if (said.includes('"listening"')) return;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    clearTimeout(timer);
    log.destroy();
  }
  throw new SandboxError(
    'GatewayFailed',
    `The network gateway of sandboxes did not begin to listen within ${startMs / 1000} s. It said: ${said.trim().slice(-500) || 'nothing'}`,
  );
}

function asMissingNode(error: unknown, { gatewayImage }: GatewayContainerHost): unknown {
  if (!/"node": executable file not found/.test((error as Error).message)) return error;
  return new SandboxError(
    'InterpreterMissing',
    `Expected node in the image ${gatewayImage}, which runs the network gateway of sandboxes. Unset SANDBOX_IMAGE to use Longhaul's own image, use one with node, or work without network (--network none).`,
    { cause: error },
  );
}
