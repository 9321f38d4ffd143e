import { BlockList, isIP } from 'node:net';

/** Addresses that are not on the public internet or lead to others: RFC 6890 and its successors, and the metadata services of clouds. */
const refused4 = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  refused4.addSubnet(network, bits, 'ipv4');
}

/** Global unicast; everything else (loopback, link-local, unique local, mapped and translated IPv4, multicast) is outside it. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
const refused6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  refused6.addSubnet(network, bits, 'ipv6');
}

/** Whether an address is on the public internet; false for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !refused4.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
}
