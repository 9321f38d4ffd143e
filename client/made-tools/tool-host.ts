import type { Configuration } from '../../config/configuration.ts';
import { packageRoot } from '../../config/package-root.ts';
import { stackId } from '../../config/stack-id.ts';
import { connectDocker } from '../../sandbox/docker/connect-docker.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import type { ToolSandboxHost } from '../../sandbox/made-tools/tool-sandbox.ts';
import { DockerUnavailableError, describeAbsence } from '../../setup/docker/docker-unavailable-error.ts';
import { findDaemon } from '../../setup/docker/find-daemon.ts';

/**
 * Access to this machine's sandboxes, for validating made tools.
 * @throws {DockerUnavailableError}
 */
export async function openToolHost(
  { docker, sandbox, home }: Configuration,
  environment: Record<string, string | undefined>,
): Promise<Omit<ToolSandboxHost, 'memoryMegabytes'>> {
  const daemon = await findDaemon(docker.host, environment);
  if (!('version' in daemon)) throw new DockerUnavailableError(describeAbsence(daemon));
  return {
    sandboxes: createSandboxes({ docker: connectDocker(daemon.host, { environment }), stack: stackId(home) }),
    image: sandbox.image ?? (await imageTag(packageRoot())),
  };
}
