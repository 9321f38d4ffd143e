import { readProject } from '../../db/project/projects.ts';
import { findSession } from '../../db/project/sessions.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { terminalFailure } from '../failures.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { describeFailedStep } from './harness-command.ts';
import { openPrepared } from './prepare-sandbox.ts';

export interface CallInSandbox extends ActivitySignals {
  projectId: string;
  sandbox: string;
  /** The tool call's id, the same at each attempt. */
  call: string;
}

/**
 * Finds a run's sandbox; if it is gone, opens another at the commit that the session began with, set up like the first. `lost`
 * then tells the agent: it is returned at each attempt of the call that found the sandbox gone, so that the agent is told whichever worker dies
 * meanwhile.
 */
export async function findOrReopenSandbox(
  dependencies: Dependencies,
  { projectId, sandbox: name, call, ...signals }: CallInSandbox,
): Promise<{ sandbox: Sandbox; lost?: string }> {
  const found = await findWhole(dependencies, name);
  if (found && found.reopenedBy === undefined) return { sandbox: found };
  const project = await readProject(dependencies.database, projectId);
  const session = await findSession(dependencies.database, name);
  const repository = await dependencies.openRepository(project.folder, project.branch);
  const commit = session?.baseCommit ?? (await repository.head());
  if (!commit)
    throw terminalFailure(
      'SandboxLost',
      `The sandbox ${name} is gone, and the project has no commit from which to open another.`,
    );
  const owner = { project: projectId, owner: name, purpose: session ? 'session' : 'initializer' } as const;
  const { sandbox, setUp } = await openPrepared(
    dependencies,
    { project, repository, sandbox: name, owner, commit, prepare: session !== undefined, reopenedBy: call },
    signals,
  );
  if (sandbox.reopenedBy !== undefined && sandbox.reopenedBy !== call) return { sandbox };
  return { sandbox, lost: describeLoss(commit, setUp) };
}

/** The sandbox of that name with everything it was filled with; undefined if that is gone. */
export async function findWhole({ sandboxes }: Dependencies, name: string): Promise<Sandbox | undefined> {
  const found = await sandboxes.find(name);
  return found && (await found.loadedCommit()) !== undefined ? found : undefined;
}

function describeLoss(commit: string, setUp: StepResult | undefined): string {
  const setUpNow = !setUp || setUp.passed ? '' : ` The set-up script failed in it: ${describeFailedStep(setUp)}.`;
  return `The sandbox was lost. A new one is open at commit ${commit.slice(0, 8)}${setUp ? ', and the set-up script has run in it' : ''}. Later changes are gone, and this call did nothing.${setUpNow} Look at the tree, then redo what is missing.`;
}
