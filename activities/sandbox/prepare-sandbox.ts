import type { ProjectRow } from '../../db/project/project-transaction.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Sandbox, SandboxOwner } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { runHarnessCommand } from './harness-command.ts';

export interface FillRequest {
  project: ProjectRow;
  repository: ProjectRepository;
  sandbox: string;
  owner: SandboxOwner;
  commit: string;
  /** See `SandboxSpec`. */
  reopenedBy?: string;
}

/** Opens a sandbox that holds the project at a commit; one that an earlier attempt filled is taken as it is. */
export async function fillSandbox(dependencies: Dependencies, request: FillRequest): Promise<Sandbox> {
  const { project, repository, commit } = request;
  const sandbox = await dependencies.sandboxes.open({
    name: request.sandbox,
    owner: request.owner,
    image: project.settings.image ?? dependencies.defaultImage,
    ...(request.reopenedBy !== undefined && { reopenedBy: request.reopenedBy }),
  });
  if ((await sandbox.loadedCommit()) === undefined) {
    await sandbox.loadWorkspace(await repository.exportGitFolder(commit), commit);
  }
  return sandbox;
}

interface PreparedRequest extends FillRequest {
  /** Run the set-up script. */
  prepare: boolean;
}

/**
 * Opens an agent's sandbox: filled at a commit, set up with network access, then disconnected if the project has none. A repetition finds this done.
 */
export async function openPrepared(
  dependencies: Dependencies,
  request: PreparedRequest,
  signals: ActivitySignals,
): Promise<{ sandbox: Sandbox; setUp?: StepResult }> {
  const sandbox = await fillSandbox(dependencies, request);
  const setUp = request.prepare ? await setUpSandbox(sandbox, signals) : undefined;
  if (!request.project.settings.network) await sandbox.disconnect();
  return { sandbox, ...(setUp && { setUp }) };
}

/** Installing dependencies may take minutes on a slow network. */
const setUpTimeoutMs = 10 * 60 * 1000;
const smokeTimeoutMs = 2 * 60 * 1000;

/** The script's path in the workspace. */
export const setUpScript = 'init.sh';
const setUpDescription = 'Set-up script';

/** A repository may be checked out with CRLF, as for Windows; bash would take the carriage returns as parts of the commands. */
const setUpCommand = [
  '[ -f init.sh ] || exit 0',
  "grep -q $'\\r$' init.sh || exec bash ./init.sh",
  `exec bash -c "$(tr -d '\\r' <init.sh)" ./init.sh`,
].join('\n');

/** Runs the project's set-up script, with network access; does nothing if the project has none. */
export async function setUpSandbox(sandbox: Sandbox, signals: ActivitySignals): Promise<StepResult> {
  const request = { id: 'set-up', description: setUpDescription, command: setUpCommand, timeoutMs: setUpTimeoutMs };
  return { ...(await runHarnessCommand(sandbox, request, signals)), command: 'bash ./init.sh' };
}

export function isSetUp(step: StepResult): boolean {
  return step.description === setUpDescription;
}

export async function runSmokeCheck(sandbox: Sandbox, command: string, signals: ActivitySignals): Promise<StepResult> {
  return runHarnessCommand(
    sandbox,
    { id: 'smoke-check', description: 'Smoke check', command, timeoutMs: smokeTimeoutMs },
    signals,
  );
}
