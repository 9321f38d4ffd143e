import { execFileSync } from 'node:child_process';

/** The container host's address on Docker's own bridge. A daemon that has just made the bridge names its subnet alone, whose first address it is. */
export function bridgeAddress(): string {
  const inspect = ['network', 'inspect', 'bridge', '--format', '{{json (index .IPAM.Config 0)}}'];
  const { Gateway, Subnet } = JSON.parse(execFileSync('docker', inspect, { encoding: 'utf8' })) as {
    Gateway?: string;
    Subnet: string;
  };
  return Gateway ?? Subnet.replace(/\.\d+\/\d+$/, '.1');
}
