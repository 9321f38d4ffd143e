import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { NetworkRefusal } from '../../sandbox.ts';
import { demultiplex } from '../commands/exec.ts';
import { hostNames } from '../container/host-names.ts';
import { hasStatus } from '../host/host-errors.ts';
import { usedGateway } from './through-gateway.ts';

/** What the gateway refused a sandbox; see `Sandboxes.refusals`. */
export async function readRefusals(docker: Docker, name: string): Promise<NetworkRefusal[]> {
  try {
    const { Config, Created } = await docker.getContainer(hostNames(name).container).inspect();
    const gateway = usedGateway(Config.Labels);
    if (gateway === undefined) return [];
    const since = Math.floor(Date.parse(Created) / 1000);
    const log = await docker.getContainer(gateway.name).logs({ stdout: true, follow: false, since });
    return parseRefusals(await readAll(log as unknown as Buffer), name);
  } catch (error) {
    if (hasStatus(error, 404)) return [];
    throw error;
  }
}

async function readAll(log: Buffer): Promise<string> {
  let text = '';
  for await (const { bytes } of demultiplex(Readable.from([log]))) text += bytes.toString('utf8');
  return text;
}

/** Each host and port once, in order; a gateway that was started again may have logged it twice. */
export function parseRefusals(log: string, sandbox: string): NetworkRefusal[] {
  const found = new Map<string, NetworkRefusal>();
  for (const line of log.split('\n')) {
    if (!line.includes('"why"')) continue;
    const { sandbox: of, host, port, why } = JSON.parse(line) as NetworkRefusal & { sandbox: string };
    if (of === sandbox) found.set(`${host}:${port}`, { host, port, why });
  }
  return [...found.values()];
}
