import type Docker from 'dockerode';
import type { DiskQuota } from '../../limits.ts';
import type { SandboxUsage } from '../../sandbox.ts';
import { hostNames } from '../container/host-names.ts';
import { hasStatus } from '../host/host-errors.ts';
import type { Isolation } from '../host/isolation.ts';
import { measureDisk } from './measure-disk.ts';

/** See `Sandboxes.measure`. */
export async function measureSandbox(
  docker: Docker,
  name: string,
  quota: DiskQuota,
  isolation: Isolation,
): Promise<SandboxUsage | undefined> {
  const container = docker.getContainer(hostNames(name).container);
  try {
    if (!(await container.inspect()).State.Running) return undefined;
    const [stats, disk] = await Promise.all([
      container.stats({ stream: false }),
      measureDisk(docker, container, quota, isolation),
    ]);
    return disk && disk !== 'unmeasured' ? { ...ofStats(stats), diskBytes: disk.bytes, files: disk.files } : undefined;
  } catch (error) {
    if (hasStatus(error, 404, 409)) return undefined;
    throw error;
  }
}

function ofStats({
  cpu_stats: now,
  precpu_stats: before,
  memory_stats: memory,
  pids_stats: pids,
}: Docker.ContainerStats) {
  const used = now.cpu_usage.total_usage - before.cpu_usage.total_usage;
  const passed = now.system_cpu_usage - before.system_cpu_usage;
  // The kernel gives its cache back when something else needs the memory.
  const cache = memory.stats?.inactive_file ?? memory.stats?.total_inactive_file ?? 0;
  return {
    cpuPercent: passed > 0 ? (100 * used * (now.online_cpus || 1)) / passed : 0,
    memoryBytes: Math.max(0, (memory.usage ?? 0) - cache),
    processes: pids?.current ?? 0,
  };
}
