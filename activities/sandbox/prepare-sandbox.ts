import type { ProjectRow } from '../../db/project/project-transaction.ts';
import { networkOfProject } from '../../domain/permissions/network-of-rules.ts';
import type { Rule } from '../../domain/permissions/rule.ts';
import type { ProjectSettings, StepResult } from '../../domain/project/settings.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Sandbox, SandboxOwner } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { runHarnessCommand } from './harness-command.ts';

export type SandboxDependencies = Pick<Dependencies, 'sandboxes' | 'defaultImage'> & {
  agents: { permissions: { rules: readonly Rule[] } };
};

/** What a sandbox needs to know of its project. */
export interface ProjectOfSandbox {
  id: string;
  settings: Pick<ProjectSettings, 'image' | 'network' | 'permissions'>;
}

export interface FillRequest {
  project: ProjectOfSandbox;
  repository: Pick<ProjectRepository, 'exportGitFolder' | 'readText'>;
  sandbox: string;
  owner: SandboxOwner;
  commit: string;
  /** See `SandboxSpec`. */
  reopenedBy?: string;
}

/** Opens a sandbox that holds the project at a commit; one that an earlier attempt filled is taken as it is. */
export async function fillSandbox(dependencies: SandboxDependencies, request: FillRequest): Promise<Sandbox> {
  const { project, repository, commit } = request;
  const access = networkOfProject(project.settings, dependencies.agents.permissions.rules);
  const sandbox = await dependencies.sandboxes.open({
    name: request.sandbox,
    owner: request.owner,
    image: project.settings.image ?? dependencies.defaultImage,
    network: access.policy,
    refusedHosts: access.refused,
    ...(request.reopenedBy !== undefined && { reopenedBy: request.reopenedBy }),
  });
  if ((await sandbox.loadedCommit()) === undefined) {
    await sandbox.loadWorkspace(await repository.exportGitFolder(commit), commit);
  }
  return sandbox;
}

interface PreparedRequest extends FillRequest {
  project: ProjectRow;
  /** Run the set-up script. */
  prepare: boolean;
}

/** Opens an agent's sandbox: filled at a commit and set up. A repetition finds this done. */
export async function openPrepared(
  dependencies: Dependencies,
  request: PreparedRequest,
  signals: ActivitySignals,
): Promise<{ sandbox: Sandbox; setUp?: StepResult }> {
  const sandbox = await fillSandbox(dependencies, request);
  const script = request.prepare ? await readSetUp(request) : undefined;
  const setUp = script === undefined ? undefined : await runSetUp(sandbox, script, signals);
  return { sandbox, ...(setUp && { setUp }) };
}

/** The project's set-up script at a commit; undefined if it has none. */
export async function readSetUp({
  repository,
  commit,
}: Pick<FillRequest, 'repository' | 'commit'>): Promise<string | undefined> {
  return repository.readText(commit, setUpScript);
}

/** Installing dependencies may take minutes on a slow network. */
const setUpTimeoutMs = 10 * 60 * 1000;
const smokeTimeoutMs = 2 * 60 * 1000;

/** The script's path in the workspace. */
export const setUpScript = 'init.sh';
const setUpDescription = 'Set-up script';

/** Runs a set-up script in the workspace, whatever the workspace has under its name. */
export async function runSetUp(sandbox: Sandbox, script: string, signals: ActivitySignals): Promise<StepResult> {
  const request = {
    id: 'set-up',
    description: setUpDescription,
    command: 'script=$(cat)\nexec bash -c "$script" ./init.sh </dev/null',
    // Windows' line ends would become parts of the commands.
    input: script.replaceAll('\r\n', '\n'),
    timeoutMs: setUpTimeoutMs,
  };
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
