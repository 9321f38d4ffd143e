import { createHash, createHmac } from 'node:crypto';
import { neverReached, notPublic } from '../../../domain/network/address-ranges.ts';
import { type NetworkAccess, refusedPattern } from '../../../domain/network/network-access.ts';
import { formatNetworkPolicy, namedHosts } from '../../../domain/network/network-policy.ts';
import { readAsset } from '../../read-asset.ts';
import { type HostNetwork, type UpstreamProxies, upstreamProxies } from '../host/host-network.ts';

/** The folder of the gateway's socket, in the gateway and in the sandboxes that use it. */
export const gatewayFolder = '/run/longhaul-network';
export const gatewaySocket = `${gatewayFolder}/gateway.sock`;

/** What `gateway.cjs` reads from LONGHAUL_GATEWAY. */
export interface GatewaySettings {
  /** Signs the names of sandboxes, so that none can have what it did logged as another's. */
  key: string;
  /** Where it listens. */
  socket: string;
  /** The policy as a person writes it. */
  policy: string;
  /** The source of a regular expression over `host:port`: what the policy names. */
  named: string;
  /** What is refused first: the sources of regular expressions over `host:port`, and why. */
  refused: Array<{ pattern: string; why: string }>;
  /** Whether other hosts with public addresses are allowed. */
  all: boolean;
  /** Ranges in CIDR notation that only what is named may lead to. */
  notPublic: readonly string[];
  /** Ranges that nothing may lead to. */
  neverReached: readonly string[];
  upstream: Omit<UpstreamProxies, 'leftOut'>;
}

/** What decides on the settings of gateways on one container host. */
export interface GatewayHost {
  network: HostNetwork;
  /** Hosts that count as package registries beside the known ones. */
  registries: readonly string[];
  stack: string | undefined;
}

export function gatewaySettings(
  { network, registries }: GatewayHost,
  { policy, refused }: NetworkAccess,
  key: string,
): GatewaySettings {
  const { leftOut: _leftOut, ...upstream } = upstreamProxies(network);
  return {
    key,
    socket: gatewaySocket,
    policy: formatNetworkPolicy(policy),
    named: namedHosts(policy, registries),
    refused: refused.map(({ hosts, why }) => ({ pattern: refusedPattern({ hosts }), why })),
    all: policy === 'all',
    notPublic: [...notPublic, ...network.addresses],
    neverReached: [...neverReached, ...network.addresses],
    upstream,
  };
}

/** The name of the container and the volume of the gateway for what sandboxes reach; other settings, or another version of its program, make another gateway. */
export function gatewayName(host: GatewayHost, access: NetworkAccess): string {
  // Addresses of a laptop change with its place.
  const settings = gatewaySettings({ ...host, network: { ...host.network, addresses: [] } }, access, '');
  const content = JSON.stringify([settings, gatewayProgram()]);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
  return `longhaul-gateway-${host.stack ?? 'any'}-${hash}`;
}

export function gatewayProgram(): string {
  return readAsset('docker/network/gateway.cjs');
}

/** The line by which the gateway knows a sandbox. */
export function gatewayTicket(sandbox: string, key: string): string {
  const name = Buffer.from(sandbox).toString('base64url');
  return `LONGHAUL ${name}.${createHmac('sha256', key).update(name).digest('base64url')}\n`;
}
