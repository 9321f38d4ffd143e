import { BlockList, isIP } from 'node:net';
import { notPublic } from '../../domain/network/address-ranges.ts';

/** One list for each kind of address: a list takes IPv4 addresses for the IPv6 addresses that they are mapped to. */
const refused = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const range of notPublic) {
  const [network = '', bits] = range.split('/');
  const kind = isIP(network) === 4 ? 'ipv4' : 'ipv6';
  refused[kind].addSubnet(network, Number(bits), kind);
}

/** Whether an address is on the public internet; false for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !refused.ipv4.check(address, 'ipv4');
  return isIP(address) === 6 && !address.includes('%') && !refused.ipv6.check(address, 'ipv6');
}
