import { execa } from 'execa';

/** Settings of the host's apt that decide whether a mirror is reachable and trusted; the others concern only the host. */
const passedOn =
  /^Acquire::(Check-Valid-Until|Check-Date|Retries|ForceIPv4|ForceIPv6|https?::(Proxy|Timeout|No-Cache|Pipeline-Depth))\b/;

/** Reads those settings as lines of an apt.conf; empty if the host has no apt. */
export async function readAptOptions(): Promise<string[]> {
  const result = await execa('apt-config', ['dump'], { reject: false });
  if (result.failed && result.code === 'ENOENT') return [];
  if (result.failed) throw new Error(`Expected the settings of apt from "apt-config dump": ${result.shortMessage}`);
  return result.stdout.split('\n').filter((line) => passedOn.test(line) && !line.endsWith(' "";'));
}
