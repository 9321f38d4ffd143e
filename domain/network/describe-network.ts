import type { NetworkAccess } from './network-access.ts';
import type { NetworkPolicy } from './network-policy.ts';
import { registries } from './registries.ts';

/** What an agent is told about the network of its sandbox. */
export function describeNetwork({ policy, refused }: NetworkAccess): string {
  if (policy === 'none') return 'There is no network.';
  const except = refused.map(({ hosts, why }) => ` Not ${hosts}: ${why}.`).join('');
  return `${describePolicy(policy)}${except}`;
}

function describePolicy(policy: Exclude<NetworkPolicy, 'none'>): string {
  const way = 'through the HTTP proxy that the environment names (HTTP_PROXY, HTTPS_PROXY)';
  if (policy === 'all') return `Hosts of the public internet can be reached ${way}; other connections fail.`;
  const packages = `the package registries (${Object.keys(registries).join(', ')})`;
  const entries = policy === 'packages' ? [policy] : policy;
  const names = entries.map((entry) => (entry === 'packages' ? packages : entry)).join(', ');
  return `Only these hosts can be reached, ${way}: ${names}. It refuses others with status 403.`;
}
