import type Docker from 'dockerode';
import type { SandboxListing, SandboxOwner } from '../sandbox.ts';
import { fromLabels, helperLabel, keptLabel, labelFilter } from './container/labels.ts';

/** All sandboxes, running or not, including those with only a helper left. */
export async function listSandboxes(docker: Docker, stack: string | undefined): Promise<SandboxListing[]> {
  const containers = await docker.listContainers({
    all: true,
    filters: { label: [...labelFilter(stack), 'longhaul.name'] },
  });
  const isHelper = (container: Docker.ContainerInfo) => container.Labels[helperLabel] !== undefined;
  const listings = containers
    .sort((left, right) => Number(isHelper(right)) - Number(isHelper(left)))
    .map((container) => ({
      ...fromLabels(container.Labels),
      running: container.State === 'running' && !isHelper(container),
      createdAt: new Date(container.Created * 1000),
    }));
  // The sandbox itself comes after its helper, and replaces it.
  return [...new Map(listings.map((listing) => [listing.name, listing])).values()];
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
