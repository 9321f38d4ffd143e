import { type FeatureState, readFeatures } from '../../db/project/features.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { runHarnessCommand } from '../sandbox/harness-command.ts';
import { fillSandbox, setUpSandbox } from '../sandbox/prepare-sandbox.ts';
import { checkProtectedFiles } from './protected-files.ts';

/** Acceptance tests end within a minute; a step may say otherwise. */
const stepTimeoutMs = 5 * 60 * 1000;

/** Runs verifications in fresh sandboxes, each at a commit. */
export function createVerificationSandbox(dependencies: Dependencies) {
  return inFreshSandbox;

  /** Opens a sandbox for one verification and removes it afterwards. An earlier attempt's is never used: only what this one ran counts. */
  async function inFreshSandbox<Result>(
    request: { project: ProjectRow; repository: ProjectRepository; name: string; commit: string },
    signals: ActivitySignals,
    work: (sandbox: Sandbox, failedSetUp: StepResult | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { project, repository, name, commit } = request;
    const owner = { project: project.id, owner: name, purpose: 'verification' } as const;
    await dependencies.sandboxes.close(name);
    try {
      const sandbox = await fillSandbox(dependencies, { project, repository, sandbox: name, owner, commit });
      const setUp = await setUpSandbox(sandbox, signals);
      await sandbox.disconnect();
      // Processes that the script left could change protected files after the check, or answer the steps.
      if (setUp.passed) await sandbox.restartOnce();
      const intact = setUp.passed ? await isIntact({ project, repository, commit }, sandbox, signals) : setUp;
      return await work(sandbox, intact.passed ? undefined : intact);
    } finally {
      // A worker that gives up leaves the sandbox to the next attempt, which may already have its own.
      if (!signals.detach.aborted) await dependencies.sandboxes.close(name);
    }
  }

  /** The agent may change the set-up script; the script must not change what the verification runs. */
  async function isIntact(
    { project, repository, commit }: { project: ProjectRow; repository: ProjectRepository; commit: string },
    sandbox: Sandbox,
    signals: ActivitySignals,
  ): Promise<StepResult> {
    const features = await readFeatures(dependencies.database, project.id);
    return checkProtectedFiles({ repository, features, sandbox, commit }, signals);
  }
}

/** Runs the steps of a feature's verification until one fails. */
export async function runSteps(
  sandbox: Sandbox,
  feature: FeatureState,
  signals: ActivitySignals,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const [index, step] of feature.verification.steps.entries()) {
    if (!step.command) continue;
    const result = await runHarnessCommand(
      sandbox,
      {
        id: `${feature.name}.${index}`,
        description: step.description,
        command: step.command,
        timeoutMs: step.timeoutMs ?? stepTimeoutMs,
      },
      signals,
    );
    results.push(result);
    if (!result.passed) break;
  }
  return results;
}
