import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Pack, pack } from 'tar-stream';
import { type HostNetwork, readCertificates } from '../docker/host/host-network.ts';
import { type DebianMirror, withoutCredentials } from './debian-mirror.ts';

/**
 * Packs what the daemon needs to build the image: the Dockerfile and, in `apt/`, how to reach the package sources from here. `mirror` is for a base
 * built here; a pulled base keeps its own.
 */
export async function packBuildContext(input: {
  root: string;
  network: HostNetwork;
  mirror?: DebianMirror;
}): Promise<Pack> {
  const context = pack();
  context.entry({ name: 'Dockerfile' }, await readFile(join(input.root, 'sandbox', 'Dockerfile')));
  const options = ['APT::Sandbox::User "root";'];
  const certificates = await readCertificates(input.network);
  if (certificates !== undefined) {
    context.entry({ name: 'apt/ca.crt' }, certificates);
    options.push('Acquire::https::CAInfo "/tmp/apt/ca.crt";');
  }
  if (input.mirror) {
    options.push(...(await readAptOptions()));
    context.entry({ name: 'apt/sources.list' }, toText(input.mirror.sources));
    context.entry({ name: 'apt/sources.final.list' }, toText(input.mirror.sources.map(withoutCredentials)));
  }
  context.entry({ name: 'apt/apt.conf' }, toText(options));
  context.finalize();
  return context;
}

function toText(lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Settings of the host's apt that decide whether a mirror is reachable and trusted; the others concern only the host. */
const passedOn =
  /^Acquire::(Check-Valid-Until|Check-Date|Retries|ForceIPv4|ForceIPv6|https?::(Proxy|Timeout|No-Cache|Pipeline-Depth))\b/;

/** Reads those settings as lines of an apt.conf; empty if the host has no apt. */
async function readAptOptions(): Promise<string[]> {
  const result = await execa('apt-config', ['dump'], { reject: false });
  if (result.failed && result.code === 'ENOENT') return [];
  if (result.failed) throw new Error(`Expected the settings of apt from "apt-config dump": ${result.shortMessage}`);
  return result.stdout.split('\n').filter((line) => passedOn.test(line) && !line.endsWith(' "";'));
}
