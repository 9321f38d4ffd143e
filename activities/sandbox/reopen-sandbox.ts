import { inProject } from '../../db/project-transaction.ts';
import { resolveProject } from '../../db/projects.ts';
import { findSession } from '../../db/sessions.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { finalFailure } from '../failures.ts';
import { fillSandbox } from './fill-sandbox.ts';

export interface OpenSandboxName {
  projectId: string;
  sandbox: string;
}

/**
 * Finds a run's sandbox; where it is gone, opens another at the commit that the session began with. `lost` then tells the agent.
 */
export async function findOrReopenSandbox(
  dependencies: Dependencies,
  { projectId, sandbox: name }: OpenSandboxName,
): Promise<{ sandbox: Sandbox; lost?: string }> {
  const found = await dependencies.sandboxes.find(name);
  if (found && (await found.loadedCommit()) !== undefined) return { sandbox: found };
  const project = await resolveProject(dependencies.database, projectId);
  const session = await findSession(dependencies.database, name);
  const repository = await dependencies.openRepository(project.folder, project.branch);
  const commit = session?.baseCommit ?? (await repository.head());
  if (!commit)
    throw finalFailure('SandboxLost', `The sandbox ${name} is gone and the project has no commit to open another at.`);
  const owner = { project: projectId, owner: name, purpose: session ? 'session' : 'initializer' } as const;
  const sandbox = await fillSandbox(dependencies, { project, sandbox: name, owner, commit });
  await inProject(dependencies.database, projectId, (transaction) =>
    transaction.tell({ type: 'sandbox-opened', sandbox: name, origin: 'lost and opened again' }),
  );
  const lost = `The sandbox was lost. A new one is open at commit ${commit.slice(0, 8)}: what was changed since then is gone, and this call did nothing. Look at the tree, then do again what is missing.`;
  return { sandbox, lost };
}
