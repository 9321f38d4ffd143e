import { randomBytes } from 'node:crypto';
import type Docker from 'dockerode';
import { SandboxError } from '../../errors.ts';
import { type DiskQuota, mebibyte } from '../../limits.ts';
import { demultiplex } from '../commands/exec.ts';
import { readScript } from '../commands/scripts.ts';
import { homeFolder, layerFolder, systemPath, workspaceFolder } from '../container/container-spec.ts';
import { helperLabel } from '../container/labels.ts';
import { hasStatus, ignoreGone } from '../host/host-errors.ts';
import { type Isolation, isolationOf } from '../host/isolation.ts';

/** What a sandbox has on disk. */
export interface DiskUsage {
  files: number;
  /** Undefined if there are more files than the quota allows: then nothing more is looked at. */
  bytes: number | undefined;
}

/** Seconds after which a measurement is given up. */
export const timeLimitSeconds = 60;

/** Arguments: the limit, the script that measures, its own arguments. */
const withinLimit =
  'limit=$1; script=$2; shift 2; timeout -s KILL "$limit" nice -n 19 bash -c "$script" longhaul "$@" || echo unmeasured';

/** Its files take too long to look at, or too much memory, as those in very many folders in folders do. */
export type DiskFound = DiskUsage | 'unmeasured';

/**
 * Measures what a sandbox has on disk, in a container of its own: nothing in the sandbox can hide files from it or stop it, and it yields to everything
 * else. Returns undefined if the sandbox is gone.
 */
export async function measureDisk(
  docker: Docker,
  container: Docker.Container,
  quota: DiskQuota,
  isolation: Isolation,
): Promise<DiskFound | undefined> {
  const found = await container.inspect().catch(unlessGone);
  const volumes = found && volumesOf(found);
  if (!found || !volumes?.length) return undefined;
  const { Labels } = found.Config;
  const folders = volumes.map((_, index) => `/measured/${index}`);
  const helper = await docker.createContainer({
    name: `${found.Name.slice(1)}-measure-${randomBytes(4).toString('hex')}`,
    Image: found.Image,
    User: '0:0',
    Entrypoint: ['bash', '-c', withinLimit, 'longhaul', String(timeLimitSeconds), readScript('measure-disk')],
    Cmd: [String(quota.files), ...folders],
    Env: [`PATH=${systemPath}`],
    Labels: { ...Labels, [helperLabel]: '1' },
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      AutoRemove: true,
      Mounts: volumes.map((volume, index) => ({
        Type: 'volume',
        Source: volume,
        Target: `/measured/${index}`,
        ReadOnly: true,
        // A volume that was removed meanwhile is made anew by this, and pruned by its labels.
        VolumeOptions: { NoCopy: true, Labels, DriverConfig: { Name: 'local', Options: {} } },
      })),
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      CapAdd: ['DAC_READ_SEARCH'],
      ...isolationOf(isolation),
      PidsLimit: 16,
      Memory: 256 * mebibyte,
      NanoCpus: 0.5e9,
      BlkioWeight: 10,
      LogConfig: { Type: 'none', Config: {} },
    },
  });
  try {
    // The container's own limit comes first, where its host answers.
    const abortSignal = AbortSignal.timeout((timeLimitSeconds + 30) * 1000);
    const output = await helper.attach({ stream: true, stdout: true, stderr: true, abortSignal });
    await helper.start();
    const said: Buffer[] = [];
    for await (const { bytes } of demultiplex(output)) said.push(bytes);
    return parse(Buffer.concat(said).toString('utf8'), found.Name);
  } finally {
    await ignoreGone(helper.remove({ force: true })); // it also removes itself
  }
}

/** A fork's workspace and home are views of another sandbox's files; what it writes is in its layer. */
function volumesOf({ Mounts }: Docker.ContainerInspectInfo): string[] {
  const at = (folder: string) =>
    Mounts.flatMap(({ Destination, Name }) => (Destination === folder && Name ? [Name] : []));
  const layer = at(layerFolder);
  return layer.length ? layer : [...at(workspaceFolder), ...at(homeFolder)];
}

function parse(said: string, name: string): DiskFound {
  if (/^unmeasured\n$/m.test(said)) return 'unmeasured';
  const [, files, bytes] = /^(\d+) (\d+|-)\n$/.exec(said) ?? [];
  if (files === undefined)
    throw new SandboxError('HarnessFailed', `Expected what ${name} uses on disk, got: ${said.trim() || 'nothing'}`);
  return { files: Number(files), bytes: bytes === '-' ? undefined : Number(bytes) };
}

function unlessGone(error: unknown): undefined {
  if (hasStatus(error, 404)) return undefined;
  throw error;
}
