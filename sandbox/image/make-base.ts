import { rm } from 'node:fs/promises';
import type Docker from 'dockerode';
import { execa } from 'execa';
import type { HostNetwork } from '../docker/host/host-network.ts';
import { SandboxError } from '../errors.ts';
import type { DebianMirror } from './debian-mirror.ts';
import { runDebootstrap } from './debootstrap.ts';
import { followProgress } from './follow-progress.ts';
import { baseRecipe } from './image-tag.ts';
import { makeWorkFolder, removeWorkFolder } from './work-folder.ts';

/** Left out of the base: debootstrap's downloads, and what every container provides itself. */
const leftOut = [
  './var/cache/apt/archives/*.deb',
  './var/lib/apt/lists/*',
  './var/log/*',
  './proc/*',
  './sys/*',
  './dev/*',
];

/**
 * Builds a Debian base image on this machine and imports it into the container host. Interrupted at any point, it leaves no mounts, and the next run
 * cleans up.
 */
export async function makeBase(input: {
  docker: Docker;
  mirror: DebianMirror;
  network: HostNetwork;
  onProgress: (line: string) => void;
  signal?: AbortSignal;
}): Promise<void> {
  const folder = await makeWorkFolder();
  try {
    await runDebootstrap({ ...input, folder });
    input.onProgress('importing the base image');
    await rm(`${folder}/etc/machine-id`, { force: true });
    await importFolder(input, folder);
  } finally {
    await removeWorkFolder(folder);
  }
}

async function importFolder(input: { docker: Docker; signal?: AbortSignal }, folder: string): Promise<void> {
  const exclusions = leftOut.map((pattern) => `--exclude=${pattern}`);
  const archive = execa('tar', ['-C', folder, '-c', '--numeric-owner', ...exclusions, '.'], {
    buffer: { stdout: false },
    reject: false,
    ...(input.signal ? { cancelSignal: input.signal } : {}),
  });
  const [repo, tag] = baseRecipe.made.split(':');
  const stream = await input.docker.importImage(archive.stdout as unknown as string, {
    repo,
    tag,
    ...(input.signal ? { abortSignal: input.signal } : {}),
  });
  await followProgress(stream, () => undefined);
  const result = await archive;
  input.signal?.throwIfAborted();
  if (!result.failed) return;
  await input.docker.getImage(baseRecipe.made).remove({ force: true });
  throw new SandboxError('ImageBuild', `Could not pack the base image: ${result.shortMessage}`, { cause: result });
}
