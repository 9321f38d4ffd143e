import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { createProjectRepository } from '../git/repository/create-project-repository.ts';
import { hostNames } from '../sandbox/docker/container/host-names.ts';
import { createSandboxes } from '../sandbox/docker/create-sandboxes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { alternate } from './alternate.ts';
import { compare, type Measurement, milliseconds } from './measurement.ts';
import { findSandboxHost } from './sandbox-host.ts';
import { words } from './stack/words.ts';

const commandRounds = 20;
const openRounds = 5;
/** Like the finished example, which has 68 files with 266 KB. */
const workspace = { files: 68, characters: 3_900 };

/** Opening sandboxes compared with bare containers, and commands in a sandbox compared with bare `docker exec`. */
export async function measureSandbox(
  environment: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<Measurement[]> {
  const { docker, image, network, stack, owner } = await findSandboxHost(environment);
  const sandboxes = createSandboxes({ docker, network, stack });
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'));
  const repository = await createProjectRepository({ folder: join(folder, 'project') });
  const files = Array.from({ length: workspace.files }, (_, index) => ({
    path: `folder-${index % 6}/file-${index}.txt`,
    content: `${words(index, workspace.characters).replace(/(.{30}\S*) /g, '$1\n')}\n`,
  }));
  const tree = await repository.writeTree(files);
  const commit = await repository.commit({ tree, parents: [], message: 'Files', trailers: {} });

  async function open(name: string): Promise<Sandbox> {
    const sandbox = await sandboxes.open({ name, owner, image });
    await sandbox.loadWorkspace(await repository.exportGitFolder(commit), commit);
    return sandbox;
  }

  try {
    const opening = await alternate(openRounds, signal, {
      sandbox: (round) => open(`${stack}-${round}`),
      bare: (round) => startBare(docker, `${stack}-bare-${round}`, image),
    });
    const name = `${stack}-0`;
    const container = docker.getContainer(hostNames(name).container);
    const sandbox = await open(name);
    const rows: Measurement[] = [];
    for (const [what, script] of commands) {
      const times = await alternate(commandRounds, signal, {
        ours: async (round) => {
          const { exitCode } = await sandbox.run({ id: `${what}-${round}`, script, timeoutMs: 60_000 });
          if (exitCode !== 0) throw new Error(`Expected "${script}" to exit with 0, got ${exitCode}.`);
        },
        bare: () => execBare(docker, container, script),
      });
      rows.push(compare(`command in a sandbox: ${script}`, times.ours, times.bare, { most: 1.5 }));
    }
    rows.push({
      what: `opening a sandbox with ${workspace.files} files against a bare container`,
      ours: milliseconds(opening.sandbox),
      bare: milliseconds(opening.bare),
      ratio: opening.sandbox / opening.bare,
    });
    return rows;
  } finally {
    for (let round = 0; round <= openRounds; round += 1) {
      await sandboxes.close(`${stack}-${round}`);
      await docker.getContainer(`${stack}-bare-${round}`).remove({ force: true, v: true }).catch(ignoreMissing);
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** One measures only the round trip, the other what a turn of an agent typically runs. */
const commands: Array<[string, string]> = [
  ['nothing', 'true'],
  ['look', 'git status --short && ls -R | head -50'],
];

/** Does what `docker run -d` does. */
async function startBare(docker: Docker, name: string, image: string): Promise<void> {
  const container = await docker.createContainer({ name, Image: image, Entrypoint: ['sleep', 'infinity'], Cmd: [] });
  await container.start();
}

/** Does what `docker exec` does, except starting the docker program. */
async function execBare(docker: Docker, container: Docker.Container, script: string): Promise<void> {
  const exec = await container.exec({ Cmd: ['bash', '-c', script], AttachStdout: true, AttachStderr: true });
  const stream = (await exec.start({})) as Duplex;
  stream.resume();
  await once(stream, 'end');
  const { ExitCode } = await docker.getExec(exec.id).inspect();
  if (ExitCode !== 0) throw new Error(`Expected "${script}" to exit with 0, got ${ExitCode}.`);
}

/** Rounds that did not start because of a failure left no container. */
function ignoreMissing(error: unknown): void {
  if ((error as { statusCode?: number }).statusCode !== 404) throw error;
}
