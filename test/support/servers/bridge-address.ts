import { execFileSync } from 'node:child_process';

/** The container host's address on Docker's own bridge. Read from the host: a daemon that has just made the bridge does not name it. */
export function bridgeAddress(): string {
  const shown = execFileSync('ip', ['-4', '-o', 'address', 'show', 'docker0'], { encoding: 'utf8' });
  const [, address] = /\binet ([\d.]+)/.exec(shown) ?? [];
  if (address === undefined) throw new Error(`Expected an IPv4 address of docker0, got: ${shown}`);
  return address;
}
