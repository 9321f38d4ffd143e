import type Docker from 'dockerode';
import { hasStatus } from '../host/host-errors.ts';

/** Disconnects a container from every network. */
export async function detachNetworks(docker: Docker, container: Docker.Container): Promise<void> {
  const { NetworkSettings } = await container.inspect();
  for (const name of Object.keys(NetworkSettings.Networks ?? {})) {
    try {
      await docker.getNetwork(name).disconnect({ Container: container.id, Force: true });
    } catch (error) {
      // Something else disconnected it in the meantime, which is fine; the check below makes sure of it.
      if (!hasStatus(error, 403, 404, 500)) throw error;
    }
  }
  const left = Object.keys((await container.inspect()).NetworkSettings.Networks ?? {});
  if (left.length > 0)
    throw new Error(`Expected container ${container.id} to have no network, found it on ${left.join(', ')}.`);
}
