import { packageRoot } from '../../config/package-root.ts';
import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import { readHostNetwork } from '../../sandbox/docker/host/host-network.ts';
import { isSandboxError } from '../../sandbox/errors.ts';
import { buildImage, findImage } from '../../sandbox/image/build-image.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import type { DockerDaemon } from '../docker/find-daemon.ts';
import { canInstallPackages, installPackages } from '../docker/install-packages.ts';
import { SetupError } from '../setup-error.ts';
import type { SetupStep } from '../setup-step.ts';

/** Days after which the image is built anew, for the fixes that its distribution has published since. */
const maxAgeDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** Builds the image that sandboxes are made from, unless the daemon has it, not too old, or SANDBOX_IMAGE names another. */
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
      const age = await ageOf(tag);
      if (age !== undefined && (named !== undefined || age <= maxAgeDays)) return { result: tag, what: tag };
      if (named === undefined) return undefined;
      throw new SetupError(
        'SandboxImageMissing',
        `Expected the image SANDBOX_IMAGE=${named} at ${daemon.host}, found none. Pull or build it there, correct the setting, or unset it to use Longhaul's own.`,
      );
    },
    async run({ configuration, signal }, progress) {
      const onProgress = (what: string) => progress.update(what.trim());
      const request = { docker, root, network: readHostNetwork(environment), onProgress, signal };
      const build = () => buildImage(request);
      const old = await imageTag(root);
      const age = await ageOf(old);
      if (age !== undefined && age > maxAgeDays) {
        progress.update(`the image is ${Math.floor(age)} days old: building it again`);
        return {
          result: old,
          what: `${old}, ${await renew(() => buildImage({ ...request, anew: true }), age, signal)}`,
        };
      }
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

  /** Days since the image was built; undefined if the daemon lacks it. */
  async function ageOf(tag: string): Promise<number | undefined> {
    const found = await findImage(docker, tag);
    return found && (Date.now() - Date.parse(found.Created)) / dayMs;
  }
}

/** Without network the old image serves until the next start. */
async function renew(build: () => Promise<string>, ageDays: number, signal: AbortSignal): Promise<string> {
  const days = Math.floor(ageDays);
  try {
    await build();
    return `built again, since it was ${days} days old`;
  } catch (error) {
    signal.throwIfAborted();
    const [reason = ''] = (error as Error).message.split('\n');
    return `${days} days old; it could not be built again: ${reason}`;
  }
}
