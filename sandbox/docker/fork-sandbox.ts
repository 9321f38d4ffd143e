import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { SandboxFork } from '../sandbox.ts';
import { closeSandbox } from './close-sandbox.ts';
import { execute } from './commands/execute.ts';
import { pathOf, toContainerSpec } from './container/container-spec.ts';
import { createLayer } from './container/create-layer.ts';
import { hostNames } from './container/host-names.ts';
import { fromLabels } from './container/labels.ts';
import type { SandboxHost } from './open-sandbox.ts';

/**
 * Starts a container over the files of a sandbox; see `Sandboxes.fork`. An earlier fork of that name is removed.
 * @throws {SandboxError} SandboxLost if there is no sandbox `base`.
 */
export async function forkSandbox(host: SandboxHost, base: string, name: string): Promise<SandboxFork> {
  const { docker } = host;
  const origin = await docker.getContainer(hostNames(base).container).inspect();
  const { owner } = fromLabels(origin.Config.Labels);
  const image = origin.Image;
  await closeSandbox(docker, name);
  const layer = await createLayer(host, { base, name, owner, image });
  const spec = { name, owner, image };
  const container = await docker.createContainer(
    toContainerSpec({ ...host, spec, hostCpus: await host.cpus(), layer }),
  );
  await container.start();
  const path = pathOf(origin.Config.Env);
  return {
    name,
    async execute(request) {
      const result = await execute({ container, path }, request);
      // Killed, as by the watch over its disk: then it was not the script that ended.
      if (result.exitCode === 137 && !(await isRunning(container))) await host.quota.refuseExcess(container, name);
      return result;
    },
  };
}

/** Whether it still runs a moment later: the container host tells of a killed process before it tells of its container. */
async function isRunning(container: Docker.Container): Promise<boolean> {
  for (let wait = 50; wait < 1_000; wait *= 2) {
    if (!(await container.inspect()).State.Running) return false;
    await delay(wait);
  }
  return true;
}
