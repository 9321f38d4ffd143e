import type Docker from 'dockerode';
import { detachNetworks } from './disconnect.ts';

/** Kills every process of a container by restarting it, at most once in its life; the container host knows whether that has happened. */
export async function restartOnce(docker: Docker, container: Docker.Container): Promise<void> {
  const before = await container.inspect();
  const hasEnded = !before.State.FinishedAt.startsWith('0001-');
  if (hasEnded && before.State.Running) return;
  await container.restart({ t: 2 });
  const connected = Object.keys(before.NetworkSettings.Networks ?? {}).length > 0;
  if (!connected) await detachNetworks(docker, container);
}
