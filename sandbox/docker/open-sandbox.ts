import type Docker from 'dockerode';
import type { Sandbox, SandboxOrigin, SandboxSpec } from '../sandbox.ts';
import { removeVolumes } from './close-sandbox.ts';
import { exec } from './commands/exec.ts';
import { readScript } from './commands/scripts.ts';
import { memoryWorkspaceLabel, pathOf, toContainerSpec } from './container/container-spec.ts';
import { hostNames } from './container/host-names.ts';
import { fromLabels, helperLabel, reopenedByLabel, toLabels } from './container/labels.ts';
import { giveVolumesToAgent, prepareAgentHome } from './container/prepare-agent-home.ts';
import { createSandbox } from './create-sandbox.ts';
import { hasStatus } from './host/host-errors.ts';
import { readCertificates } from './host/host-network.ts';
import type { Isolation } from './host/isolation.ts';
import { ensureGateway, type GatewayContainerHost } from './network/ensure-gateway.ts';
import { forwarderFiles } from './network/forwarder.ts';
import { gatewayName } from './network/gateway-settings.ts';
import { type UsedGateway, usedGateway } from './network/through-gateway.ts';
import type { DiskQuotaWatch } from './quota/disk-quota.ts';

/** What the sandboxes of one container host share. */
export interface SandboxHost extends GatewayContainerHost {
  isolation: Isolation;
  quota: DiskQuotaWatch;
  cpus(): Promise<number>;
  /** The bash of each image, by the image's id. */
  shells: Map<string, Buffer>;
}

/** Opens the sandbox of that name: creates it, or finds it and starts it if it was stopped. */
export async function openSandbox(host: SandboxHost, spec: SandboxSpec): Promise<Sandbox> {
  const found = await findSandbox(host, spec.name);
  if (found) return found;
  // A new sandbox must be empty, so remove what an interrupted close left of an earlier one.
  if (!spec.keepsFiles) await removeVolumes(host.docker, spec.name);
  const access = { policy: spec.network ?? 'none', refused: spec.refusedHosts ?? [] };
  const gateway = access.policy === 'none' ? undefined : { name: gatewayName(host, access), ...access };
  try {
    await host.docker.createContainer(toContainerSpec({ ...host, spec, hostCpus: await host.cpus(), gateway }));
  } catch (error) {
    // A concurrent attempt created it first.
    if (!hasStatus(error, 409)) throw error;
  }
  const sandbox = await findSandbox(host, spec.name);
  if (sandbox) return sandbox;
  return openSandbox(host, spec);
}

/** The running sandbox of that name, started if it was stopped; undefined if there is none. */
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
  const { docker, quota } = host;
  const gateway = usedGateway(Labels);
  if (gateway) await ensureGateway(host, gateway);
  const origin = await bringUp(host, container, state, gateway);
  if (origin === undefined) return undefined;
  return createSandbox(
    { name, container, script: readScript, docker, quota, path: pathOf(Env) },
    { image: state.Image, origin, reopenedBy: Labels[reopenedByLabel] },
  );
}

/** Returns undefined if the container can never run again, after removing it. */
async function bringUp(
  host: SandboxHost,
  container: Docker.Container,
  state: Docker.ContainerInspectInfo,
  gateway: UsedGateway | undefined,
): Promise<SandboxOrigin | undefined> {
  const { Status, StartedAt } = state.State;
  if (Status === 'running') return 'running';
  if (Status === 'paused') {
    await container.unpause();
    return 'running';
  }
  // Killed, as by the watch over its disk.
  if (state.State.ExitCode === 137) await host.quota.refuseExcess(container, fromLabels(state.Config.Labels).name);
  const neverStarted = StartedAt.startsWith('0001-');
  if (neverStarted) {
    const { name, owner } = fromLabels(state.Config.Labels);
    // A worker that dies here leaves the helper, which holds the volumes until it is removed with its sandbox.
    const labels = { ...toLabels(name, owner, host.stack), [helperLabel]: '1' };
    await prepareAgentHome(container, gateway ? await filesForNetwork(host, container, gateway, name) : {});
    await giveVolumesToAgent(host.docker, {
      image: state.Image,
      volumes: hostNames(name),
      labels,
      isolation: host.isolation,
    });
  }
  try {
    await container.start();
  } catch (error) {
    if (isHalfStarted(error)) {
      await container.remove({ force: true });
      return undefined;
    }
    // Another caller started it in the meantime.
    if (!hasStatus(error, 304)) throw error;
  }
  if (neverStarted) return 'created';
  if (state.Config.Labels[memoryWorkspaceLabel] !== undefined) {
    await exec({ container, command: ['bash', '-c', readScript('reset-workspace')] });
  }
  return 'restarted';
}

async function filesForNetwork(
  host: SandboxHost,
  container: Docker.Container,
  gateway: UsedGateway,
  sandbox: string,
): Promise<Record<string, string>> {
  const certificates = await readCertificates(host.network);
  return {
    ...(await forwarderFiles(host.docker, { container, gateway: gateway.name, sandbox })),
    ...(certificates === undefined ? {} : { 'ca.crt': certificates }),
  };
}

/** If the daemon was killed while starting a container, the half-started one blocks every later start. */
function isHalfStarted(error: unknown): boolean {
  return hasStatus(error, 409, 500) && /already exists|id already in use/i.test((error as Error).message);
}
