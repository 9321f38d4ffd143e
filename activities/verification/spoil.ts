import { randomInt } from 'node:crypto';
import type { FeatureState } from '../../db/project/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { isKnownCheck, runsCheck, spoilCheck } from '../../domain/project/spoil/spoil-check.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { PlacedFile, PreparedCommand, PreparedCommit } from './prepared-commit.ts';
import { isProtected } from './protected-files.ts';

/** The check files of a feature at a commit. */
export async function readChecks(
  repository: ProjectRepository,
  feature: FeatureState,
  commit: string,
): Promise<PlacedFile[]> {
  const { protectedPaths } = feature.verification;
  const files = await repository.listFiles(commit);
  const paths = files.filter((path) => isProtected(path, protectedPaths) && isKnownCheck(path));
  const checks: PlacedFile[] = [];
  for (const path of paths) {
    const content = (await repository.readFile(commit, path))?.toString('utf8');
    if (content !== undefined) checks.push({ path, content });
  }
  return checks;
}

/**
 * Runs a step and, if it passes, once more with its checks spoiled. It must fail then: a step that passes whatever its checks say proves nothing, as where
 * the work ends the test runner or steers it. The result has that beside it.
 */
export async function runProven(
  prepared: PreparedCommit,
  command: PreparedCommand,
  checks: PlacedFile[],
): Promise<StepResult> {
  const step = await prepared.run(command);
  if (!step.passed) return step;
  const spoiling = { command: step.command, number: randomInt(10_000, 1_000_000) };
  const files = checks.flatMap(({ path, content }) => {
    const spoiled = runsCheck(step.command, path) ? spoilCheck(path, content, spoiling) : undefined;
    return spoiled === undefined ? [] : [{ path, content: spoiled }];
  });
  if (files.length === 0) return step;
  const { passed, outcome, exitCode, output } = await prepared.run({ ...command, spoiled: files });
  const withSpoiled = { ...step, spoiled: { files: files.map(({ path }) => path), outcome, exitCode, output } };
  if (!passed) return withSpoiled;
  const names = files.map(({ path }) => path).join(', ');
  return {
    ...withSpoiled,
    passed: false,
    outcome: 'passes with checks that must fail',
    output: `${step.output}\nThis step passes also where every check in ${names} fails. So its exit code proves nothing: something ends the test runner early, changes what it reports, or keeps it from running these checks.`,
  };
}
