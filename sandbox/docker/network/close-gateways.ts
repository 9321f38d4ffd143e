import type Docker from 'dockerode';
import { labelFilter } from '../container/labels.ts';
import { ignoreGone } from '../host/host-errors.ts';
import { gatewayLabel, viaGatewayLabel } from './through-gateway.ts';

/** Removes the gateways that no sandbox uses, or all of them; see `Sandboxes.closeGateways`. */
export async function closeGateways(docker: Docker, stack: string | undefined, which: 'unused' | 'all'): Promise<void> {
  const containers = await docker.listContainers({ all: true, filters: { label: labelFilter(stack) } });
  const used = new Set(containers.flatMap(({ Labels }) => Labels[viaGatewayLabel] ?? []));
  const isLeft = (name: string | undefined) => name !== undefined && (which === 'all' || !used.has(name));
  for (const { Id, Labels } of containers) {
    if (isLeft(Labels[gatewayLabel])) await ignoreGone(docker.getContainer(Id).remove({ force: true }));
  }
  const filters = { label: [...labelFilter(stack), gatewayLabel] };
  const { Volumes } = await docker.listVolumes({ filters });
  for (const { Name, Labels } of Volumes ?? []) {
    // A sandbox that was stopped keeps its gateway's volume.
    if (isLeft(Labels?.[gatewayLabel])) await ignoreGone(docker.getVolume(Name).remove());
  }
}
