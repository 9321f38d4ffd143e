import { type NetworkPolicy, refuseHost } from '../network/network-policy.ts';
import { type Decision, decide } from './decide.ts';
import type { Rule } from './rule.ts';

/** Decides whether a page may be read. Where no rule decides, what the sandboxes reach may be, and a person is asked about other hosts. */
export function judgePage(rules: readonly Rule[], network: NetworkPolicy, url: URL): Decision {
  const host = url.hostname;
  const decision = decide(rules, { kind: 'Network', subject: host });
  if (decision.rule) return decision;
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return { ...decision, effect: refuseHost(network, { host, port }) === undefined ? 'allow' : 'ask' };
}
