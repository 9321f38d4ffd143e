import { InvalidArgumentError } from 'commander';
import { type NetworkPolicy, networkPolicyExpected, parseNetworkPolicy } from '../../domain/network/network-policy.ts';

/** Parses an option's value as a network policy. */
export function parseNetwork(text: string): NetworkPolicy {
  const policy = parseNetworkPolicy(text);
  if (policy !== undefined) return policy;
  throw new InvalidArgumentError(`${networkPolicyExpected.replace('e', 'E')}, separated by commas.`);
}
