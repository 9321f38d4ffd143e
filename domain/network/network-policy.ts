import { canonicalHost } from './canonical-host.ts';
import { hostPattern, isHostEntry } from './host-pattern.ts';
import { registries } from './registries.ts';

/**
 * What sandboxes reach, all of it through a proxy: nothing, package registries, every public host, or the hosts of a list. In a list, `packages` stands
 * for the registries, `*.example.org` for all subdomains, and `example.org:8443` for another port than 80 and 443.
 */
export type NetworkPolicy = 'none' | 'packages' | 'all' | string[];

export const defaultNetworkPolicy: NetworkPolicy = 'packages';

export const networkPolicyExpected =
  'expected none, packages, all, or host names such as api.example.org, *.example.org or example.org:8443';

/** Whether something is a policy. */
export function isNetworkPolicy(value: unknown): value is NetworkPolicy {
  if (!Array.isArray(value)) return value === 'none' || value === 'packages' || value === 'all';
  return value.length > 0 && value.every((entry) => entry === 'packages' || isHostEntry(entry));
}

/** Reads a policy as a person writes it, hosts separated by commas; undefined if it is none. */
export function parseNetworkPolicy(text: string): NetworkPolicy | undefined {
  const entries = text
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  const [first] = entries;
  const policy = entries.length === 1 && isNetworkPolicy(first) ? first : entries;
  return isNetworkPolicy(policy) ? policy : undefined;
}

/** A policy as a person writes it. */
export function formatNetworkPolicy(policy: NetworkPolicy): string {
  return typeof policy === 'string' ? policy : policy.join(',');
}

/**
 * The host names and ports that a policy names, as the source of a regular expression over `host:port`; it matches nothing for `none` and `all`, which
 * name none.
 */
export function namedHosts(policy: NetworkPolicy, moreRegistries: readonly string[] = []): string {
  const packages = [...Object.values(registries).flat(), ...moreRegistries];
  if (policy === 'none' || policy === 'all') return hostPattern([]);
  const entries = policy === 'packages' ? [policy] : policy;
  return hostPattern(entries.flatMap((entry) => (entry === 'packages' ? packages : entry)));
}

/**
 * Why a policy does not allow a connection; undefined if it does. What `all` allows by name alone must also have public addresses, which the gateway
 * judges once it has resolved the name.
 */
export function refuseHost(
  policy: NetworkPolicy,
  { host, port }: { host: string; port: number },
  moreRegistries: readonly string[] = [],
): string | undefined {
  if (policy === 'all') return undefined;
  const name = canonicalHost(host);
  if (new RegExp(namedHosts(policy, moreRegistries)).test(`${name}:${port}`)) return undefined;
  return `network policy "${formatNetworkPolicy(policy)}" does not allow ${name}:${port}`;
}
