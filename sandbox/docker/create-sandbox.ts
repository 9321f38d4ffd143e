import type Docker from 'dockerode';
import type { Sandbox, SandboxOrigin } from '../sandbox.ts';
import { readLog } from './commands/read-log.ts';
import { runCommand, type SandboxContainer } from './commands/run-command.ts';
import { detachNetworks } from './container/detach-networks.ts';
import { createDockerFiles } from './files/docker-files.ts';
import { translateHostErrors } from './host/host-errors.ts';
import { loadedCommit, loadWorkspace, repairRepository } from './workspace/load-workspace.ts';
import { takeSnapshot } from './workspace/take-snapshot.ts';

/** The handle of one running container. */
export function createSandbox(
  sandbox: SandboxContainer & { docker: Docker },
  found: { origin: SandboxOrigin; reopenedBy: string | undefined },
): Sandbox {
  const commands: Pick<Sandbox, 'run' | 'readLog'> = {
    run: (request) => runCommand(sandbox, request),
    readLog: (commandId, range) => readLog(sandbox, commandId, range),
  };
  return {
    name: sandbox.name,
    ...found,
    ...commands,
    files: createDockerFiles(commands),
    loadWorkspace: (gitFolder, commit) => loadWorkspace(sandbox, gitFolder, commit),
    loadedCommit: () => loadedCommit(sandbox),
    repairRepository: (gitFolder, commit) => repairRepository(sandbox, gitFolder, commit),
    snapshot: (base) => takeSnapshot(sandbox, base),
    restartOnce: () => translateHostErrors(() => restartOnce(sandbox.docker, sandbox.container)),
    disconnect: () => translateHostErrors(() => detachNetworks(sandbox.docker, sandbox.container)),
  };
}

/** Kills every process of a container by restarting it, at most once in its life; the container host knows whether that has happened. */
async function restartOnce(docker: Docker, container: Docker.Container): Promise<void> {
  const before = await container.inspect();
  const hasEnded = !before.State.FinishedAt.startsWith('0001-');
  if (hasEnded && before.State.Running) return;
  await container.restart({ t: 2 });
  const connected = Object.keys(before.NetworkSettings.Networks ?? {}).length > 0;
  if (!connected) await detachNetworks(docker, container);
}
