import type Docker from 'dockerode';
import { hostNames } from './container/host-names.ts';
import { fromLabels, keptLabel, labelFilter } from './container/labels.ts';
import { hasStatus } from './host/host-errors.ts';

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
    const { workspace, home, layer } = hostNames(fromLabels(volume.Labels ?? {}).name);
    if (![workspace, home, layer].includes(volume.Name)) continue;
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
