import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { hostNames } from './container/host-names.ts';
import { helperLabel } from './container/labels.ts';
import { hasStatus, ignoreGone } from './host/host-errors.ts';

/** Stops a sandbox's processes; its files stay. */
export async function stopSandbox(docker: Docker, name: string): Promise<void> {
  try {
    await docker.getContainer(hostNames(name).container).stop({ t: 2 });
  } catch (error) {
    // 304: already stopped.
    if (!hasStatus(error, 304, 404)) throw error;
  }
}

/** Removes a sandbox's container and its helper; if the sandbox keeps its files, they stay. */
export async function releaseSandbox(docker: Docker, name: string): Promise<void> {
  await remove(docker.getContainer(hostNames(name).container));
  const filters = { label: [`longhaul.name=${name}`, helperLabel] };
  for (const { Id } of await docker.listContainers({ all: true, filters })) await remove(docker.getContainer(Id));
}

function remove(container: Docker.Container): Promise<void> {
  return ignoreGone(container.remove({ force: true, v: true })); // `v` removes anonymous volumes
}

/** Removes a sandbox and its files. */
export async function closeSandbox(docker: Docker, name: string): Promise<void> {
  await releaseSandbox(docker, name);
  // Wait for a container that is still being removed.
  await removeVolumes(docker, name, 10_000);
}

/** Removes a sandbox's volumes, waiting up to `timeoutMs` for a container that still holds them. */
export async function removeVolumes(docker: Docker, name: string, timeoutMs = 0): Promise<void> {
  const { workspace, home, layer } = hostNames(name);
  const deadline = Date.now() + timeoutMs;
  for (const volume of [workspace, home, layer]) {
    for (;;) {
      try {
        await docker.getVolume(volume).remove();
        break;
      } catch (error) {
        if (hasStatus(error, 404)) break;
        if (!hasStatus(error, 409)) throw error;
        if (Date.now() >= deadline) {
          if (timeoutMs === 0) break;
          throw error;
        }
        await delay(100);
      }
    }
  }
}
