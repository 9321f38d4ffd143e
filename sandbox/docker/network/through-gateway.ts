import { randomBytes } from 'node:crypto';
import type Docker from 'dockerode';
import type { NetworkAccess } from '../../../domain/network/network-access.ts';
import { gatewayFolder, gatewaySocket } from './gateway-settings.ts';

/** On a sandbox: the name of the gateway that it uses. */
export const viaGatewayLabel = 'longhaul.via-gateway';
/** On a sandbox that uses a gateway: what it reaches, as JSON. */
const accessLabel = 'longhaul.network';
/** On the volume of a gateway: the key that signs the names of sandboxes, which only the container host and the harness can read. */
export const gatewayKeyLabel = 'longhaul.gateway-key';
/** On the container and volume of a gateway: its name. */
export const gatewayLabel = 'longhaul.gateway';

/** The gateway of a sandbox. */
export interface UsedGateway extends NetworkAccess {
  name: string;
}

/** Where the forwarder of a sandbox listens. */
const proxyPort = 18_128;
const proxyAddress = `http://127.0.0.1:${proxyPort}`;

/** What a sandbox's own programs read to find the proxy; `NODE_USE_ENV_PROXY` is for the `fetch` of Node 24, the YARN ones for Yarn 2. */
export const proxyEnvironment: Record<string, string> = {
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap((name) => [
      [name, proxyAddress],
      [name.toLowerCase(), proxyAddress],
    ]),
  ),
  NO_PROXY: 'localhost,127.0.0.1,::1',
  no_proxy: 'localhost,127.0.0.1,::1',
  NODE_USE_ENV_PROXY: '1',
  YARN_HTTP_PROXY: proxyAddress,
  YARN_HTTPS_PROXY: proxyAddress,
};

/** The command of the forwarder, whose files are in `folder`; see `forwarderFiles`. */
export function forwarderCommand(folder: string): string {
  return `perl ${folder}/forward.pl ${proxyPort} ${gatewaySocket} ${folder}/gateway-ticket`;
}

/** Labels of a sandbox that uses a gateway. */
export function labelsThroughGateway({ name, ...access }: UsedGateway): Record<string, string> {
  return { [viaGatewayLabel]: name, [accessLabel]: JSON.stringify(access) };
}

/** The gateway that a sandbox uses, read back from its labels; undefined if it has no network. */
export function usedGateway(labels: Record<string, string>): UsedGateway | undefined {
  const { [viaGatewayLabel]: name, [accessLabel]: access } = labels;
  if (name === undefined || access === undefined) return undefined;
  return { name, ...(JSON.parse(access) as NetworkAccess) };
}

/** The gateway's volume in a sandbox, made with its first sandbox; whichever comes first fixes the key. */
export function gatewayMount(name: string, stackLabels: Record<string, string>): Docker.MountSettings {
  const labels = { ...stackLabels, [gatewayLabel]: name, [gatewayKeyLabel]: randomBytes(32).toString('hex') };
  return {
    Type: 'volume',
    Source: name,
    Target: gatewayFolder,
    ReadOnly: true,
    VolumeOptions: { NoCopy: true, Labels: labels, DriverConfig: { Name: 'local', Options: {} } },
  };
}
