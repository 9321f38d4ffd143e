import type Docker from 'dockerode';
import type { Sandbox, SandboxOrigin } from '../sandbox.ts';
import { detachNetworks } from './disconnect.ts';
import { createDockerFiles } from './files/docker-files.ts';
import { loadedCommit, loadWorkspace, repairRepository } from './load-workspace.ts';
import { readLog } from './read-log.ts';
import { restartOnce } from './restart-once.ts';
import { runCommand, type SandboxContainer } from './run-command.ts';
import { takeSnapshot } from './take-snapshot.ts';
import { translateHostErrors } from './translate-host-errors.ts';

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
