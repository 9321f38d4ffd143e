import { randomBytes } from 'node:crypto';
import type Docker from 'dockerode';
import { removeVolumes } from './close-sandbox.ts';
import { secretLabel } from './command-secret.ts';
import { hostNames } from './container-name.ts';
import { memoryWorkspaceLabel, toContainerSpec } from './container-spec.ts';
import { createSandbox } from './create-sandbox.ts';
import { detachNetworks } from './disconnect.ts';
import { exec } from './exec.ts';
import { furnishHome, giveVolumesToAgent } from './furnish-home.ts';
import { hasStatus } from './has-status.ts';
import { type HostNetwork, readCertificates } from './host-network.ts';
import { reopenedByLabel } from './labels.ts';
import type { Sandbox, SandboxOrigin, SandboxSpec } from './sandbox.ts';
import { readScript } from './scripts.ts';
import { pathOf } from './system-path.ts';

/** What the sandboxes of one container host share. */
export interface SandboxHost {
  docker: Docker;
  network: HostNetwork;
  stack: string | undefined;
  cpus(): Promise<number>;
}

/** Opens the sandbox of that name: creates it, or finds it and starts it where it was stopped. */
export async function openSandbox(host: SandboxHost, spec: SandboxSpec): Promise<Sandbox> {
  const found = await findSandbox(host, spec.name);
  if (found) return found;
  // A sandbox that is created is empty: what an interrupted close left of an earlier one goes.
  if (!spec.keepsFiles) await removeVolumes(host.docker, spec.name);
  try {
    const secret = randomBytes(16).toString('hex');
    await host.docker.createContainer(toContainerSpec({ ...host, spec, secret, hostCpus: await host.cpus() }));
  } catch (error) {
    // Another attempt at the same was quicker.
    if (!hasStatus(error, 409)) throw error;
  }
  const sandbox = await findSandbox(host, spec.name);
  if (sandbox) return sandbox;
  return openSandbox(host, spec);
}

/** The sandbox of that name, running; undefined where none is. */
export async function findSandbox(host: SandboxHost, name: string): Promise<Sandbox | undefined> {
  const container = host.docker.getContainer(hostNames(name).container);
  let state: Docker.ContainerInspectInfo;
  try {
    state = await container.inspect();
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
  const { Env, Labels } = state.Config;
  const { docker } = host;
  const origin = await bringUp(host, container, state);
  if (origin === undefined) return undefined;
  return createSandbox(
    { name, container, script: readScript, docker, path: pathOf(Env), secret: Labels[secretLabel] },
    { origin, reopenedBy: Labels[reopenedByLabel] },
  );
}

/** Undefined where it can never run again, and is removed. */

async function bringUp(
  host: SandboxHost,
  container: Docker.Container,
  state: Docker.ContainerInspectInfo,
): Promise<SandboxOrigin | undefined> {
  const { Status, StartedAt } = state.State;
  if (Status === 'running') return 'running';
  if (Status === 'paused') {
    await container.unpause();
    return 'running';
  }
  const neverStarted = StartedAt.startsWith('0001-');
  if (neverStarted) {
    const volumes = hostNames(state.Config.Labels['longhaul.name'] ?? '');
    await furnishHome(container, await readCertificates(host.network));
    await giveVolumesToAgent(host.docker, { image: state.Image, volumes, labels: {} });
  }
  const connected = Object.keys(state.NetworkSettings.Networks ?? {}).length > 0;
  try {
    await container.start();
  } catch (error) {
    if (isHalfStarted(error)) {
      await container.remove({ force: true });
      return undefined;
    }
    // Another caller started it meanwhile.
    if (!hasStatus(error, 304)) throw error;
  }
  if (neverStarted) return 'created';
  // Container hosts keep a container's networks over a restart; a sandbox that lost them must not depend on it.
  if (!connected) await detachNetworks(host.docker, container);
  if (state.Config.Labels[memoryWorkspaceLabel] !== undefined) {
    await exec({ container, command: ['bash', '-c', readScript('reset-workspace')] });
  }
  return 'restarted';
}

/** A daemon that was killed while it started a container finds the half-started one in the way of every later start. */
function isHalfStarted(error: unknown): boolean {
  return hasStatus(error, 409, 500) && /already exists|id already in use/i.test((error as Error).message);
}
