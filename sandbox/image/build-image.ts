import type Docker from 'dockerode';
import { hasStatus, translateHostErrors } from '../docker/host/host-errors.ts';
import type { HostNetwork } from '../docker/host/host-network.ts';
import { SandboxError } from '../errors.ts';
import { readAptSources } from './apt-sources.ts';
import { packBuildContext } from './build-context.ts';
import { chooseDebianMirror, type DebianMirror } from './debian-mirror.ts';
import { followProgress } from './follow-progress.ts';
import { baseRecipe, imageTag } from './image-tag.ts';
import { makeBase } from './make-base.ts';
import { pullImage } from './pull-image.ts';

export interface BuildImageInput {
  docker: Docker;
  /** The folder that contains `sandbox/Dockerfile`. */
  root: string;
  network: HostNetwork;
  /** Called with each line of output while building. */
  onProgress?: (line: string) => void;
  signal?: AbortSignal;
  /** Build it although the container host has it, with the packages as they are published now. */
  anew?: boolean;
}

/**
 * Builds the sandbox image if the container host lacks it, on a pulled Debian or, if none can be pulled, on one built here; returns its tag. Takes
 * minutes the first time, then only a lookup.
 */
export async function buildImage(input: BuildImageInput): Promise<string> {
  const tag = await imageTag(input.root);
  if (!input.anew && (await imageExists(input.docker, tag))) return tag;
  const onProgress = input.onProgress ?? (() => undefined);
  const base = await provideBase({ ...input, onProgress });
  const before = await findImage(input.docker, tag);
  await translateHostErrors(() => buildFromDockerfile({ ...input, onProgress }, tag, base));
  if (before) await removeUnused(input.docker, before.Id);
  return tag;
}

/** An image that another has taken the name of; one that sandboxes still use stays. */
async function removeUnused(docker: Docker, id: string): Promise<void> {
  try {
    await docker.getImage(id).remove();
  } catch (error) {
    if (!hasStatus(error, 404, 409)) throw error;
  }
}

async function provideBase(
  input: BuildImageInput & { onProgress: (line: string) => void },
): Promise<{ image: string; mirror?: DebianMirror }> {
  const { docker, onProgress, network } = input;
  const signal = input.signal ? { signal: input.signal } : {};
  if (await imageExists(docker, baseRecipe.pulled)) return { image: baseRecipe.pulled };
  const mirror = chooseDebianMirror(await readAptSources(), baseRecipe.suite);
  if (await imageExists(docker, baseRecipe.made)) return { image: baseRecipe.made, mirror };
  try {
    await pullImage({ docker, image: baseRecipe.pulled, onProgress, ...signal });
    return { image: baseRecipe.pulled };
  } catch (error) {
    input.signal?.throwIfAborted();
    onProgress(
      `could not pull ${baseRecipe.pulled} (${(error as Error).message.trim()}); building a base with debootstrap`,
    );
  }
  await makeBase({ docker, mirror, network, onProgress, ...signal });
  return { image: baseRecipe.made, mirror };
}

async function buildFromDockerfile(
  input: BuildImageInput & { onProgress: (line: string) => void },
  tag: string,
  base: { image: string; mirror?: DebianMirror },
): Promise<void> {
  const context = await packBuildContext({ ...input, ...(base.mirror ? { mirror: base.mirror } : {}) });
  const lines: string[] = [];
  try {
    const stream = await input.docker.buildImage(context as unknown as NodeJS.ReadableStream, {
      t: tag,
      buildargs: { BASE_IMAGE: base.image, ...input.network.proxy },
      // The host's own network, so that a proxy or mirror only the host can reach (localhost, its hosts file) works too.
      networkmode: 'host',
      forcerm: true,
      nocache: input.anew ?? false,
      ...(input.signal ? { abortSignal: input.signal } : {}),
    });
    await followProgress(stream, (event) => {
      for (const line of (event.stream ?? event.status ?? '').split('\n')) {
        if (line.trim() === '') continue;
        lines.push(line);
        input.onProgress(line);
      }
    });
  } catch (error) {
    input.signal?.throwIfAborted();
    if (lines.length === 0) throw error;
    const tail = lines.slice(-15).join('\n');
    throw new SandboxError('ImageBuild', `Could not build ${tag}: ${(error as Error).message}\n${tail}`, {
      cause: error,
    });
  }
}

/** Whether the container host has an image of that name. */
export async function imageExists(docker: Docker, tag: string): Promise<boolean> {
  return (await findImage(docker, tag)) !== undefined;
}

/** What the container host says of an image, such as when it was built; undefined if it has none of that name. */
export async function findImage(docker: Docker, tag: string): Promise<Docker.ImageInspectInfo | undefined> {
  return translateHostErrors(async () => {
    try {
      return await docker.getImage(tag).inspect();
    } catch (error) {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    }
  });
}
