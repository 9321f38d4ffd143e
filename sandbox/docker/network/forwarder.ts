import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { SandboxError } from '../../errors.ts';
import { readAsset } from '../../read-asset.ts';
import { hasStatus } from '../host/host-errors.ts';
import { readGatewayKey } from './ensure-gateway.ts';
import { gatewayTicket } from './gateway-settings.ts';

/**
 * The files of the forwarder of a new sandbox, by their names in the harness's folder.
 * @throws {SandboxError} InterpreterMissing if the image has no perl, which runs it.
 */
export async function forwarderFiles(
  docker: Docker,
  { container, gateway, sandbox }: { container: Docker.Container; gateway: string; sandbox: string },
): Promise<Record<string, string>> {
  await expectPerl(container);
  return {
    'forward.pl': readAsset('docker/network/forward.pl'),
    'gateway-ticket': gatewayTicket(sandbox, await readGatewayKey(docker, gateway)),
  };
}

/** Every Debian and Ubuntu has it, as part of its package manager. */
async function expectPerl(container: Docker.Container): Promise<void> {
  for (const path of ['/usr/bin/perl', '/usr/local/bin/perl']) {
    try {
      const answer = (await container.infoArchive({ path })) as Readable;
      answer.resume(); // it would keep its connection to the container host
      return;
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
    }
  }
  const { Config } = await container.inspect();
  throw new SandboxError(
    'InterpreterMissing',
    `Expected perl in the image ${Config.Image}, which connects a sandbox with its network. Use an image that has it (Alpine: apk add perl), or work without network (--network none).`,
  );
}
