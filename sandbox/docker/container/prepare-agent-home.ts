import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import { SandboxError } from '../../errors.ts';
import { type Isolation, isolationOf } from '../host/isolation.ts';
import { agentUser, homeFolder, workspaceFolder } from './container-spec.ts';

/** Puts the harness's own files into a sandbox's home before it starts: folders, and files by their names. */
export async function prepareAgentHome(container: Docker.Container, files: Record<string, string>): Promise<void> {
  const archive = pack();
  const owner = { uid: agentUser, gid: agentUser };
  for (const name of ['.longhaul', '.longhaul/commands', '.longhaul/incoming']) {
    archive.entry({ name, type: 'directory', mode: 0o755, ...owner });
  }
  for (const [name, content] of Object.entries(files)) {
    archive.entry({ name: `.longhaul/${name}`, mode: 0o644, ...owner }, content);
  }
  archive.finalize();
  await container.putArchive(archive as unknown as NodeJS.ReadableStream, { path: homeFolder });
}

/**
 * Gives the volumes of a sandbox to its user, unless the image already has both folders with the right owner (Longhaul's does, and has a label that
 * says so). Uses a container of the same image that may do only this.
 */
export async function giveVolumesToAgent(
  docker: Docker,
  input: {
    image: string;
    volumes: { workspace: string; home: string };
    labels: Record<string, string>;
    isolation: Isolation;
  },
): Promise<void> {
  const { Config } = await docker.getImage(input.image).inspect();
  if (Config.Labels?.['longhaul.sandbox'] === '1') return;
  const helper = await docker.createContainer({
    Image: input.image,
    User: '0:0',
    Entrypoint: ['chown', `${agentUser}:${agentUser}`, workspaceFolder, homeFolder],
    Cmd: [],
    WorkingDir: '/',
    Labels: input.labels,
    HostConfig: {
      Binds: [`${input.volumes.workspace}:${workspaceFolder}`, `${input.volumes.home}:${homeFolder}`],
      CapDrop: ['ALL'],
      CapAdd: ['CHOWN'],
      ...isolationOf(input.isolation),
      ReadonlyRootfs: true,
      NetworkMode: 'none',
    },
  });
  try {
    await helper.start();
    const { StatusCode } = (await helper.wait()) as { StatusCode: number };
    if (StatusCode === 0) return;
    const said = await text(await helper.logs({ stdout: true, stderr: true, follow: true }));
    throw new SandboxError(
      'HarnessFailed',
      `Could not give the volumes of a sandbox to its user with the image ${input.image}: ${said}`,
    );
  } finally {
    await helper.remove({ force: true });
  }
}
