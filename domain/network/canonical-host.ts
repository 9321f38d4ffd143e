/**
 * The one way to write a host, so that no other gets round a rule: in lower case, without dots at its end, addresses as browsers write them, IPv6 in
 * brackets. What is no host stays as it is. The gateway of sandboxes does the same.
 */
export function canonicalHost(text: string): string {
  const lower = text.trim().toLowerCase();
  const name = isIpv6(lower) ? `[${lower}]` : lower.replace(/\.+$/, '');
  if (!/^([\w.-]+|\[[0-9a-f:.]+\])$/.test(name) || !URL.canParse(`http://${name}/`)) return name;
  const host = new URL(`http://${name}/`).hostname;
  // An IPv6 address that stands for an IPv4 address leads to that.
  const [, high = '', low = ''] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  return high ? [...bytesOf(high), ...bytesOf(low)].join('.') : host;
}

/** The same with a port, where there is one. */
export function canonicalAuthority(text: string): string {
  const [, host = '', port = ''] = isIpv6(text.trim()) ? ['', text] : (/^(.*?)(:\d+)?$/s.exec(text.trim()) ?? []);
  return `${canonicalHost(host)}${port}`;
}

function isIpv6(text: string): boolean {
  return /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text);
}

function bytesOf(hexadecimal: string): [number, number] {
  const value = Number.parseInt(hexadecimal, 16);
  return [value >> 8, value & 255];
}
