import { randomInt } from 'node:crypto';
import type { FeatureState } from '../../db/project/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { isKnownCheck, runsCheck, spoilCheck } from '../../domain/project/spoil/spoil-check.ts';
import { spoilCommand } from '../../domain/project/spoil/spoil-command.ts';
import type { SpoiledTest } from '../../domain/project/spoil/spoiled-check.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { PlacedFile, PreparedCommand, PreparedCommit } from './prepared-commit.ts';
import { isProtected } from './protected-files.ts';

/** The content of a check file. */
export interface CheckFile extends PlacedFile {
  content: string;
}

/** The check files of a feature at a commit. */
export async function readChecks(
  repository: ProjectRepository,
  feature: Pick<FeatureState, 'verification'>,
  commit: string,
): Promise<CheckFile[]> {
  const { protectedPaths, steps } = feature.verification;
  const files = await repository.listFiles(commit);
  const isCheck = (path: string) => steps.some(({ command }) => isKnownCheck(path, command));
  const paths = files.filter((path) => isProtected(path, protectedPaths) && isCheck(path));
  const checks: CheckFile[] = [];
  for (const path of paths) {
    const content = await repository.readText(commit, path);
    if (content !== undefined) checks.push({ path, content });
  }
  return checks;
}

/** A check that runs alone costs a container and the time of the step. */
const maxAlone = 5;

/**
 * Runs a step and, if it passes, once more with its checks spoiled. It must fail then: a step that passes whatever its checks say proves nothing, as where
 * the work ends the test runner or steers it. Some tests whose failure the output does not show are spoiled alone, since the others may have failed for
 * them. The result has all that beside it.
 */
export async function runProven(
  prepared: PreparedCommit,
  command: PreparedCommand,
  checks: CheckFile[],
): Promise<StepResult> {
  const step = await prepared.run(command);
  if (!step.passed) return step;
  const number = randomInt(10_000, 1_000_000);
  const files = spoilChecks(command, checks, number);
  const spoiledCommand = spoilCommand(command.command, number);
  const names = [...files.map(({ path }) => path), ...(spoiledCommand ? ['the command'] : [])];
  if (names.length === 0) return step;
  const { passed, outcome, exitCode, output } = await prepared.run({
    ...command,
    command: spoiledCommand ?? command.command,
    spoiled: files,
  });
  const spoiled = { files: names, outcome, exitCode, output };
  if (passed) return refuse({ ...step, spoiled }, `every check in ${names.join(', ')} fails`);
  const alone: string[] = [];
  for (const { name, path, content } of chooseSilent(files, output)) {
    alone.push(`${path}: ${name}`);
    const single = await prepared.run({ ...command, spoiled: [{ path, content }] });
    if (single.passed) return refuse({ ...step, spoiled: { ...spoiled, alone } }, `the test ${name} in ${path} fails`);
  }
  return { ...step, spoiled: { ...spoiled, ...(alone.length ? { alone } : {}) } };
}

interface SpoiledFile extends PlacedFile {
  tests: SpoiledTest[];
}

function spoilChecks({ command }: PreparedCommand, checks: CheckFile[], number: number): SpoiledFile[] {
  return checks.flatMap(({ path, content }) => {
    const spoiled = runsCheck(command, path) ? spoilCheck(path, content, { command, number }) : undefined;
    return spoiled ? [{ path, ...spoiled }] : [];
  });
}

/** Some of the tests whose failure an output does not show. */
function chooseSilent(files: SpoiledFile[], output: string): Array<SpoiledTest & { path: string }> {
  const tests = files.flatMap(({ path, tests }) => tests.map((test) => ({ ...test, path })));
  const silent = tests.filter(({ marks }) => !marks.some((mark) => output.includes(mark)));
  while (silent.length > maxAlone) silent.splice(randomInt(silent.length), 1);
  return silent;
}

function refuse(step: StepResult, what: string): StepResult {
  return {
    ...step,
    passed: false,
    outcome: 'passes with checks that must fail',
    output: `${step.output}\nThis step passes also where ${what}. So its exit code proves nothing: something ends the test runner early, changes what it reports, or keeps it from running what it should.`,
  };
}
