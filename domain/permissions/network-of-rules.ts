import { canonicalAuthority } from '../network/canonical-host.ts';
import type { HostRefusal, NetworkAccess } from '../network/network-access.ts';
import type { NetworkPolicy } from '../network/network-policy.ts';
import { describeRule } from './describe-decision.ts';
import type { Rule, RuleTexts } from './rule.ts';
import { rulesInForce } from './rules-in-force.ts';

/** What sandboxes reach by a policy and the rules on hosts: `allow` adds to the policy; what `deny` and `ask` name is refused. */
export function networkOf(policy: NetworkPolicy, rules: readonly Rule[]): NetworkAccess {
  const onHosts = rules.filter(({ kind }) => kind === 'Network');
  const allowed = onHosts.filter(({ effect }) => effect === 'allow').map(({ pattern }) => canonicalAuthority(pattern));
  const refused = onHosts.filter(({ effect }) => effect !== 'allow').map(toRefusal);
  return { policy: withHosts(policy, allowed), refused };
}

/** What the sandboxes of a project reach, by its own settings and the general rules. */
export function networkOfProject(
  { network, permissions }: { network: NetworkPolicy; permissions?: RuleTexts | undefined },
  general: readonly Rule[],
): NetworkAccess {
  return networkOf(network, rulesInForce(general, permissions));
}

function withHosts(policy: NetworkPolicy, hosts: string[]): NetworkPolicy {
  if (policy === 'all' || hosts.includes('*')) return 'all';
  if (!hosts.length) return policy;
  const named = policy === 'none' ? [] : policy === 'packages' ? [policy] : policy;
  return [...new Set([...named, ...hosts])];
}

/** Commands do not wait for a person: a host is refused until a rule allows it. */
function toRefusal(rule: Rule): HostRefusal {
  const asks = `${describeRule(rule)}; a person has to allow the host by a rule before commands reach it`;
  return { hosts: rule.pattern, why: rule.effect === 'ask' ? asks : describeRule(rule) };
}
