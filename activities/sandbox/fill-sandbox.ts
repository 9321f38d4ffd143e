import type { ProjectRow } from '../../db/project/project-transaction.ts';
import type { Sandbox, SandboxOwner } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';

export interface FillRequest {
  project: ProjectRow;
  sandbox: string;
  owner: SandboxOwner;
  commit: string;
  /** See `SandboxSpec`. */
  reopenedBy?: string;
}

/** Opens a sandbox that holds the project at a commit; one that an earlier attempt filled is taken as it is. */
export async function fillSandbox(dependencies: Dependencies, request: FillRequest): Promise<Sandbox> {
  const { project, commit } = request;
  const sandbox = await dependencies.sandboxes.open({
    name: request.sandbox,
    owner: request.owner,
    image: project.settings.image ?? dependencies.defaultImage,
    ...(request.reopenedBy !== undefined && { reopenedBy: request.reopenedBy }),
  });
  if ((await sandbox.loadedCommit()) === undefined) {
    const repository = await dependencies.openRepository(project.folder, project.branch);
    await sandbox.loadWorkspace(await repository.exportGitFolder(commit), commit);
  }
  return sandbox;
}
