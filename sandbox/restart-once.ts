import type Docker from 'dockerode';
import { detachNetworks } from './disconnect.ts';

/** Ends every process of a container by starting it anew, once in its life; the container host knows whether that was done. */
export async function restartOnce(docker: Docker, container: Docker.Container): Promise<void> {
  const before = await container.inspect();
  const hasEnded = !before.State.FinishedAt.startsWith('0001-');
  if (hasEnded && before.State.Running) return;
  await container.restart({ t: 2 });
  const connected = Object.keys(before.NetworkSettings.Networks ?? {}).length > 0;
  if (!connected) await detachNetworks(docker, container);
}
