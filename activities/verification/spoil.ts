import type { FeatureState } from '../../db/project/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { isKnownCheck, runsCheck, spoilCheck } from '../../domain/project/spoil-check.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { PreparedCommit } from './prepared-commit.ts';
import { isProtected } from './protected-files.ts';

/** The check files of a feature at a commit, as they must fail, by path. */
export async function readSpoiledChecks(
  repository: ProjectRepository,
  feature: FeatureState,
  commit: string,
): Promise<Map<string, string>> {
  const { protectedPaths } = feature.verification;
  const files = await repository.listFiles(commit);
  const paths = files.filter((path) => isProtected(path, protectedPaths) && isKnownCheck(path));
  const spoiled = new Map<string, string>();
  for (const path of paths) {
    const content = (await repository.readFile(commit, path))?.toString('utf8');
    const bad = content === undefined ? undefined : spoilCheck(path, content);
    if (bad !== undefined) spoiled.set(path, bad);
  }
  return spoiled;
}

/**
 * Runs a step that passed once more, with its checks spoiled. It must fail now: a step that passes whatever its checks say proves nothing, as where the work
 * ends the test runner or steers it. Returns the step's result with that beside it.
 */
export async function proveStep(
  prepared: PreparedCommit,
  step: StepResult,
  { spoiled, timeoutMs }: { spoiled: Map<string, string>; timeoutMs: number },
): Promise<StepResult> {
  const files = [...spoiled].filter(([path]) => runsCheck(step.command, path));
  if (files.length === 0) return step;
  const { description, command } = step;
  const { passed, outcome, exitCode, output } = await prepared.run({ description, command, timeoutMs, files });
  const withSpoiled = { ...step, spoiled: { files: files.map(([path]) => path), outcome, exitCode, output } };
  if (!passed) return withSpoiled;
  const names = files.map(([path]) => path).join(', ');
  return {
    ...withSpoiled,
    passed: false,
    outcome: 'passes with checks that must fail',
    output: `${step.output}\nThis step passes also where every check in ${names} fails. So its exit code proves nothing: something ends the test runner early, changes what it reports, or keeps it from running these checks.`,
  };
}
