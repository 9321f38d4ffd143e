import type Docker from 'dockerode';
import type { SandboxOwner } from '../sandbox.ts';
import { hostNames } from './container-name.ts';
import { hasStatus } from './has-status.ts';
import { fromLabels, keptLabel, labelFilter } from './labels.ts';

/** Milliseconds during which a volume without a container is left alone: a new sandbox gets its volumes first. */
const graceMs = 60_000;

/** Removes volumes left without a sandbox by an interrupted close; returns their names. */
export async function pruneVolumes(docker: Docker, stack: string | undefined): Promise<string[]> {
  const { Volumes } = await docker.listVolumes({ filters: { label: labelFilter(stack), dangling: ['true'] } });
  const removed: string[] = [];
  for (const volume of Volumes ?? []) {
    if (volume.Labels?.[keptLabel] !== undefined) continue;
    const createdAt = Date.parse((volume as { CreatedAt?: string }).CreatedAt ?? '');
    if (Date.now() - createdAt < graceMs) continue;
    const { workspace, home } = hostNames(fromLabels(volume.Labels ?? {}).name);
    if (volume.Name !== workspace && volume.Name !== home) continue;
    try {
      await docker.getVolume(volume.Name).remove();
      removed.push(volume.Name);
    } catch (error) {
      // In use again, or removed by someone else.
      if (!hasStatus(error, 404, 409)) throw error;
    }
  }
  return removed;
}

/** The sandboxes that keep their files, with or without a container. */
export async function listKept(
  docker: Docker,
  stack: string | undefined,
): Promise<Array<{ name: string; owner: SandboxOwner }>> {
  const { Volumes } = await docker.listVolumes({ filters: { label: [...labelFilter(stack), keptLabel] } });
  const byName = (Volumes ?? []).map((volume) => fromLabels(volume.Labels ?? {}));
  return [...new Map(byName.map((one) => [one.name, one])).values()];
}
