import type Docker from 'dockerode';
import type { Sandbox } from '../sandbox.ts';
import { readLog } from './commands/read-log.ts';
import { runCommand, type SandboxContainer } from './commands/run-command.ts';
import { createDockerFiles } from './files/docker-files.ts';
import { loadedCommit, loadWorkspace, repairRepository } from './workspace/load-workspace.ts';
import { takeSnapshot } from './workspace/take-snapshot.ts';

/** The handle of one running container. */
export function createSandbox(
  sandbox: SandboxContainer & { docker: Docker },
  found: Pick<Sandbox, 'image' | 'origin' | 'reopenedBy'>,
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
  };
}
