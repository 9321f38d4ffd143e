import { literalPattern } from '../literal-pattern.ts';
import { canonicalAuthority } from './canonical-host.ts';
import type { NetworkPolicy } from './network-policy.ts';

/** What a sandbox reaches: a policy, less the hosts that rules refuse. */
export interface NetworkAccess {
  policy: NetworkPolicy;
  refused: HostRefusal[];
}

/** Hosts that are refused whatever the policy says. */
export interface HostRefusal {
  /** As in a rule: a name, `*.` and a domain, an address, or `*`; each with a port where only that is meant. */
  hosts: string;
  /** What refuses them, such as a rule. */
  why: string;
}

/** The source of a regular expression over `host:port` of what a refusal names. */
export function refusedPattern({ hosts }: Pick<HostRefusal, 'hosts'>): string {
  const [, named = '', port] = /^(.*?)(?::(\d+))?$/.exec(canonicalAuthority(hosts)) ?? [];
  const names =
    named === '*' ? '.+' : named.startsWith('*.') ? `[^:]+${literalPattern(named.slice(1))}` : literalPattern(named);
  return `^${names}:${port ?? '\\d+'}$`;
}
