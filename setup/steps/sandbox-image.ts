import { packageRoot } from '../../config/package-root.ts';
import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import { readHostNetwork } from '../../sandbox/docker/host/host-network.ts';
import { isSandboxError } from '../../sandbox/errors.ts';
import { buildImage, imageExists } from '../../sandbox/image/build-image.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import type { DockerDaemon } from '../docker/find-daemon.ts';
import { canInstallPackages, installPackages } from '../docker/install-packages.ts';
import { SetupError } from '../setup-error.ts';
import type { SetupStep } from '../setup-step.ts';

/** Builds the image that sandboxes are made from, unless the daemon has it or SANDBOX_IMAGE names another. */
export function createSandboxImageStep(
  daemon: DockerDaemon,
  environment: Record<string, string | undefined>,
): SetupStep<string> {
  const docker = connectDocker(daemon.host, { environment });
  const root = packageRoot();
  return {
    name: 'Sandbox image',
    async check({ configuration }) {
      const named = configuration.sandbox.image;
      const tag = named ?? (await imageTag(root));
      if (await imageExists(docker, tag)) return { result: tag, what: tag };
      if (named === undefined) return undefined;
      throw new SetupError(
        'SandboxImageMissing',
        `Expected the image SANDBOX_IMAGE=${named} at ${daemon.host}, found none. Pull or build it there, correct the setting, or unset it to use Longhaul's own.`,
      );
    },
    async run({ configuration, signal }, progress) {
      const onProgress = (what: string) => progress.update(what.trim());
      const build = () => buildImage({ docker, root, network: readHostNetwork(environment), onProgress, signal });
      try {
        const tag = await build();
        return { result: tag, what: tag };
      } catch (error) {
        if (!(isSandboxError(error, 'DebootstrapMissing') && (await canInstallPackages()))) throw error;
      }
      await installPackages(['debootstrap'], { home: configuration.home, signal, onProgress });
      const tag = await build();
      return { result: tag, what: tag };
    },
  };
}
