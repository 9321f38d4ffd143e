import type Docker from 'dockerode';
import { fromLabels, labelFilter } from './labels.ts';
import type { SandboxListing } from './sandbox.ts';

/** All sandboxes, running or not. */
export async function listSandboxes(docker: Docker, stack: string | undefined): Promise<SandboxListing[]> {
  const containers = await docker.listContainers({
    all: true,
    filters: { label: [...labelFilter(stack), 'longhaul.name'] },
  });
  return containers.map((container) => ({
    ...fromLabels(container.Labels),
    running: container.State === 'running',
    createdAt: new Date(container.Created * 1000),
  }));
}
