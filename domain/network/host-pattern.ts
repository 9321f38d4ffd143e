import { literalPattern } from '../literal-pattern.ts';
import { canonicalHost } from './canonical-host.ts';

const label = '[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?';
const name = `(\\*\\.)?${label}(\\.${label})+`;
const entryPattern = new RegExp(`^(${name}|\\[[0-9a-f:]+\\])(:[1-9]\\d{0,4})?$`);

/** Whether something names hosts: a host name with a dot, `*.` and a domain, an IPv4 address, or an IPv6 address in brackets; each with a port where it has one. */
export function isHostEntry(entry: unknown): entry is string {
  return typeof entry === 'string' && entry.length <= 260 && entryPattern.test(entry);
}

/** The source of a regular expression that matches `host:port` of what the entries name; without a port they mean 80 and 443. */
export function hostPattern(entries: readonly string[]): string {
  const alternatives = entries.map((entry) => {
    const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    const names = host.startsWith('*.') ? `[^:]+${literalPattern(host.slice(1))}` : literalPattern(canonicalHost(host));
    return `${names}:${port ?? '(80|443)'}`;
  });
  return `^(${alternatives.join('|') || '(?!)'})$`;
}
