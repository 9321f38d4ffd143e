import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pack, pack } from 'tar-stream';
import { type HostNetwork, readCertificates } from '../docker/host-network.ts';
import { readAptOptions } from './apt-options.ts';
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
