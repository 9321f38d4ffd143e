import { statfs } from 'node:fs/promises';
import type Docker from 'dockerode';
import { isSandboxError, SandboxError } from '../../errors.ts';
import { type DiskQuota, gibibyte } from '../../limits.ts';
import { fromLabels, helperLabel, labelFilter } from '../container/labels.ts';
import { hasStatus, ignoreGone } from '../host/host-errors.ts';
import type { Isolation } from '../host/isolation.ts';
import { type DiskFound, measureDisk, timeLimitSeconds } from './measure-disk.ts';

/** Milliseconds between two looks at the same sandbox, and how many times what a look takes: it costs a container, and walks through all files. */
const pauseMs = 10_000;
const pauseFactor = 20;

/** Keeps the sandboxes of one container host within their share of its disk. */
export interface DiskQuotaWatch {
  /** Stops the running sandboxes that use too much; returns a sentence for each. Costs nothing most of the time, so call it every second. */
  enforce(): Promise<string[]>;
  /** Throws a `SandboxError` QuotaExceeded if a sandbox uses too much. */
  refuseExcess(container: Docker.Container, name: string): Promise<void>;
  /** The error for a call on a sandbox that failed: `QuotaExceeded` if the sandbox was stopped for that, else the error itself. */
  explain(error: unknown, container: Docker.Container, name: string): Promise<unknown>;
}

export function createDiskQuota({
  docker,
  stack,
  quota,
  isolation,
}: {
  docker: Docker;
  stack: string | undefined;
  quota: DiskQuota;
  isolation: Isolation;
}): DiskQuotaWatch {
  let nextRound = 0;
  let seen = new Map<string, { at: number; tookMs: number; cpu: number | undefined }>();
  const hasShrunk = createFreeSpaceWatch(docker, quota);

  return { enforce, refuseExcess, explain };

  async function enforce(): Promise<string[]> {
    const shrunk = await hasShrunk();
    if (!shrunk && Date.now() < nextRound) return [];
    nextRound = Date.now() + pauseMs;
    const label = [...labelFilter(stack), 'longhaul.name'];
    const listed = await docker.listContainers({ filters: { label, status: ['running'] } });
    const running = listed.filter(({ Labels }) => Labels[helperLabel] === undefined);
    seen = new Map([...seen].filter(([id]) => running.some(({ Id }) => Id === id)));
    const stopped: string[] = [];
    const failures: unknown[] = [];
    for (const { Id, Labels } of running) {
      try {
        const excess = await enforceOn(Id, fromLabels(Labels).name, shrunk);
        if (excess !== undefined) stopped.push(excess);
      } catch (error) {
        // One that cannot be looked at must not keep the others from it.
        failures.push(error);
        if (isSandboxError(error, 'HostUnavailable')) break;
      }
    }
    // What was stopped is said first; the failure comes again with the next round.
    if (failures.length && stopped.length === 0) throw failures[0];
    return stopped;
  }

  /** Stops a sandbox if it uses too much, and says so. */
  async function enforceOn(id: string, name: string, shrunk: boolean): Promise<string | undefined> {
    const container = docker.getContainer(id);
    const last = seen.get(id);
    const at = Date.now();
    if (!shrunk && last && at - last.at < pauseFactor * last.tookMs) return undefined;
    // A sandbox that waits for its model does nothing, so it has written nothing.
    const cpu = await cpuOf(container);
    if (last && cpu !== undefined && cpu === last.cpu) return undefined;
    const usage = await measureDisk(docker, container, quota, isolation);
    seen.set(id, { at, tookMs: Date.now() - at, cpu });
    const excess = usage && describeExcess(name, usage, quota);
    if (excess !== undefined) await ignoreGone(container.kill());
    return excess;
  }

  async function refuseExcess(container: Docker.Container, name: string): Promise<void> {
    const usage = await measureDisk(docker, container, quota, isolation);
    const excess = usage && describeExcess(name, usage, quota);
    if (excess !== undefined) throw new SandboxError('QuotaExceeded', excess);
  }

  async function explain(error: unknown, container: Docker.Container, name: string): Promise<unknown> {
    if (!isSandboxError(error, 'SandboxStopped')) return error;
    try {
      await refuseExcess(container, name);
      return error;
    } catch (excess) {
      // What cannot be measured now is looked at when the sandbox is started again.
      return isSandboxError(excess, 'QuotaExceeded') ? excess : error;
    }
  }
}

/** Says whether the host's disk has lost an eighth of a quota since it last said so. Never, if the host is another machine. */
function createFreeSpaceWatch(docker: Docker, quota: DiskQuota): () => Promise<boolean> {
  let root: Promise<string> | undefined;
  let before: { bytes: number; files: number } | undefined;
  return async () => {
    root ??= docker.info().then(
      (info: { DockerRootDir: string }) => info.DockerRootDir,
      (error: unknown) => {
        root = undefined;
        throw error;
      },
    );
    const found = await statfs(await root).catch(() => undefined);
    if (!found) return false;
    const free = { bytes: found.bavail * found.bsize, files: found.ffree };
    before ??= free;
    const shrunk = before.bytes - free.bytes > quota.bytes / 8 || before.files - free.files > quota.files / 8;
    // What was freed meanwhile must not hide what is written next.
    before = shrunk ? free : { bytes: Math.max(before.bytes, free.bytes), files: Math.max(before.files, free.files) };
    return shrunk;
  };
}

/** Nanoseconds of CPU that a container has used; undefined if its runtime does not say. */
async function cpuOf(container: Docker.Container): Promise<number | undefined> {
  try {
    const { cpu_stats } = await container.stats({ stream: false, 'one-shot': true });
    return cpu_stats?.cpu_usage?.total_usage || undefined;
  } catch (error) {
    if (hasStatus(error, 404, 409)) return undefined;
    throw error;
  }
}

function describeExcess(name: string, found: DiskFound, quota: DiskQuota): string | undefined {
  if (found === 'unmeasured')
    return `Sandbox ${name} was stopped: what it has on disk could not be measured in ${timeLimitSeconds} s. Remove what is not needed, such as folders in very many folders.`;
  const { files, bytes } = found;
  const hint =
    'Remove what is not needed and write less, or raise the limit in the settings (sandbox.diskGigabytes, sandbox.files).';
  if (files > quota.files)
    return `Sandbox ${name} was stopped: it has more than ${quota.files.toLocaleString('en')} files, its share of the disk. ${hint}`;
  if (bytes === undefined || bytes <= quota.bytes) return undefined;
  return `Sandbox ${name} was stopped: it uses ${inGibibytes(bytes)} of disk, its share is ${inGibibytes(quota.bytes)}. ${hint}`;
}

function inGibibytes(bytes: number): string {
  return `${(bytes / gibibyte).toFixed(1)} GiB`;
}
