import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { extract, pack } from 'tar-stream';
import { SandboxError } from '../../errors.ts';
import type { SandboxOwner } from '../../sandbox.ts';
import { hasStatus } from '../host/host-errors.ts';
import { agentUser, type Layer, layerFolder, systemPath } from './container-spec.ts';
import { hostNames } from './host-names.ts';
import { helperLabel, toLabels } from './labels.ts';

const parts = ['workspace', 'home'] as const;

/** The shell that runs a script in a fork. */
export const layerShell = `${layerFolder}/bash`;

/**
 * Makes the volume of a fork: empty folders for what it writes, and a copy of the image's bash that may be executed but not read. The kernel lets no
 * other process of the same user trace such a process or write to its memory, so what the shell starts cannot change what the shell answers.
 */
export async function createLayer(
  { docker, stack, shells }: { docker: Docker; stack: string | undefined; shells: Map<string, Buffer> },
  { base, name, owner, image }: { base: string; name: string; owner: SandboxOwner; image: string },
): Promise<Layer> {
  const names = hostNames(name);
  const labels = toLabels(name, owner, stack);
  await docker.createVolume({ Name: names.layer, Labels: labels });
  const helper = await docker.createContainer({
    Image: image,
    Entrypoint: ['true'],
    Cmd: [],
    Labels: { ...labels, [helperLabel]: '1' },
    HostConfig: { Binds: [`${names.layer}:${layerFolder}`], NetworkMode: 'none' },
  });
  try {
    const archive = pack();
    const user = { uid: agentUser, gid: agentUser };
    for (const part of parts) {
      archive.entry({ name: part, type: 'directory', mode: 0o755, ...user });
      archive.entry({ name: `${part}.work`, type: 'directory', mode: 0o755, ...user });
    }
    const shell = shells.get(image) ?? (await readShell(helper, image));
    shells.set(image, shell);
    archive.entry({ name: 'bash', mode: 0o711, uid: 0, gid: 0 }, shell);
    archive.finalize();
    await helper.putArchive(archive as unknown as NodeJS.ReadableStream, { path: layerFolder });
  } finally {
    await helper.remove({ force: true });
  }
  const mountpoint = async (volume: string) => (await docker.getVolume(volume).inspect()).Mountpoint;
  const upper = await mountpoint(names.layer);
  const overlay = async (part: (typeof parts)[number]) =>
    `lowerdir=${await mountpoint(hostNames(base)[part])},upperdir=${upper}/${part},workdir=${upper}/${part}.work`;
  return { volume: names.layer, overlays: { workspace: await overlay('workspace'), home: await overlay('home') } };
}

/** The image's bash, wherever its own folders have it. */
async function readShell(container: Docker.Container, image: string): Promise<Buffer> {
  for (const folder of systemPath.split(':')) {
    const file = await readFile(container, `${folder}/bash`);
    if (file) return file;
  }
  throw new SandboxError(
    'InterpreterMissing',
    `Expected bash in the image ${image}, in one of ${systemPath}. Use an image that has it.`,
  );
}

/** A file of a container's image; undefined if there is none. */
async function readFile(container: Docker.Container, path: string): Promise<Buffer | undefined> {
  let stream: Readable;
  try {
    stream = (await container.getArchive({ path })) as Readable;
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
  try {
    for await (const entry of stream.pipe(extract())) {
      const { type, linkname } = entry.header;
      if (type === 'file') return await buffer(entry);
      const target = linkname?.startsWith('/') ? linkname : `${path}/../${linkname}`;
      return type === 'symlink' ? await readFile(container, target) : undefined;
    }
    return undefined;
  } finally {
    stream.destroy(); // the rest of the answer would keep the connection
  }
}
