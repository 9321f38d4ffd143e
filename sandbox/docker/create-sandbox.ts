import type Docker from 'dockerode';
import type { Sandbox } from '../sandbox.ts';
import { readLog } from './commands/read-log.ts';
import { runCommand, type SandboxContainer } from './commands/run-command.ts';
import { startProgram } from './commands/start-program.ts';
import { createDockerFiles } from './files/docker-files.ts';
import type { DiskQuotaWatch } from './quota/disk-quota.ts';
import { lookAtFiles, placeFiles, takeFiles } from './workspace/copy-files.ts';
import { loadedCommit, loadWorkspace, repairRepository } from './workspace/load-workspace.ts';
import { takeSnapshot } from './workspace/take-snapshot.ts';

/** The handle of one running container. */
export function createSandbox(
  sandbox: SandboxContainer & { docker: Docker; quota: DiskQuotaWatch },
  found: Pick<Sandbox, 'image' | 'origin' | 'reopenedBy'>,
): Sandbox {
  /** Says why the sandbox was stopped, where its disk is why. */
  const explained = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      throw await sandbox.quota.explain(error, sandbox.container, sandbox.name);
    }
  };
  const commands: Pick<Sandbox, 'run' | 'readLog'> = {
    run: (request) => explained(runCommand(sandbox, request)),
    readLog: (commandId, range) => explained(readLog(sandbox, commandId, range)),
  };
  return {
    name: sandbox.name,
    ...found,
    ...commands,
    start: (request) => explained(startProgram(sandbox, request)),
    files: createDockerFiles(commands),
    loadWorkspace: (gitFolder, commit) => explained(loadWorkspace(sandbox, gitFolder, commit)),
    loadedCommit: () => explained(loadedCommit(sandbox)),
    repairRepository: (gitFolder, commit) => explained(repairRepository(sandbox, gitFolder, commit)),
    snapshot: (base) => explained(takeSnapshot(sandbox, base)),
    placeFiles: (files, copy) => explained(placeFiles(sandbox, files, copy)),
    takeFiles: (paths, maxBytes) => explained(takeFiles(sandbox, paths, maxBytes)),
    lookAtFiles: (known, maxFiles) => explained(lookAtFiles(sandbox, known, maxFiles)),
  };
}
