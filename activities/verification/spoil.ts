import { randomInt } from 'node:crypto';
import type { FeatureState } from '../../db/project/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { spoilCommand } from '../../domain/project/spoil/commands/spoil-command.ts';
import { type Draw, drawsOf } from '../../domain/project/spoil/draw.ts';
import { isKnownCheck, runsCheck, spoilCheck } from '../../domain/project/spoil/spoil-check.ts';
import type { SpoiledCheck } from '../../domain/project/spoil/spoiled-check.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { maxSideBySide, type PlacedFile, type PreparedCommand, type PreparedCommit } from './prepared-commit.ts';
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
/** So few tests are all spoiled alone, and not together. */
const few = 3;

/**
 * Runs a step as it is and, beside it, with its checks spoiled. Spoiled, it must fail: a step that passes whatever its checks say proves nothing, as where the
 * work ends the test runner, steers it, or answers any comparison. Some tests are spoiled alone, since a step that leaves out one of many fails for the
 * others. The result has all that beside it.
 */
export async function runProven(
  prepared: PreparedCommit,
  command: PreparedCommand,
  checks: CheckFile[],
): Promise<StepResult> {
  const draw = drawsOf(randomInt(2 ** 32));
  const spoiling = spoilStep(command, checks, draw);
  if (spoiling.names.length === 0) return prepared.run(command);
  const { first, others } = planSpoiling(spoiling, draw);
  const runWith = (spoiled?: Variant) => prepared.run(placeAnew(command, spoiling, { spoiled, draw }));

  // It is drawn which starts first: neither the time nor the container tells the work which run it is in.
  const early = draw(2) ? runWith(first) : undefined;
  const [step, { passed, outcome, exitCode, output }] = await settleAll([runWith(), early ?? runWith(first)]);
  if (!step.passed) return step;
  const spoiled = { files: spoiling.names, outcome, exitCode, output };
  if (passed) return refuse({ ...step, spoiled }, first.what);
  const alone = first.alone ? [first.alone] : [];
  const left = others(output);
  while (left.length > 0) {
    const some = left.splice(0, maxSideBySide);
    alone.push(...some.flatMap((one) => one.alone ?? []));
    const results = await settleAll(some.map(runWith));
    const notNoticed = some.find((_, index) => results[index]?.passed);
    if (notNoticed) return refuse({ ...step, spoiled: { ...spoiled, alone } }, notNoticed.what);
  }
  return { ...step, spoiled: { ...spoiled, ...(alone.length ? { alone } : {}) } };
}

/** Waits for all of them, also where one fails: it may use what is taken down afterwards. */
async function settleAll<const Runs extends ReadonlyArray<Promise<StepResult>>>(runs: Runs) {
  await Promise.allSettled(runs);
  return Promise.all(runs);
}

interface SpoiledFile extends SpoiledCheck {
  path: string;
  /** Its content as it is committed. */
  original: string;
}

/** A step's check files, and its command if that has something to spoil. */
interface SpoiledStep {
  files: SpoiledFile[];
  command: string | undefined;
  /** What is spoiled. */
  names: string[];
}

/** What is spoiled in one run of a step. */
interface Variant {
  /** What must fail then. */
  what: string;
  files: Array<{ path: string; content: string }>;
  command?: string | undefined;
  /** The test that is spoiled alone. */
  alone?: string;
}

function spoilStep({ command, runs = command }: PreparedCommand, checks: CheckFile[], draw: Draw): SpoiledStep {
  const files = checks.flatMap(({ path, content }) => {
    const spoiled = runsCheck(runs, path) ? spoilCheck(path, content, { command: runs, draw }) : undefined;
    return spoiled ? [{ path, original: content, ...spoiled }] : [];
  });
  const spoiledCommand = spoilCommand(command, draw);
  const names = [...files.map(({ path }) => path), ...(spoiledCommand ? ['the command'] : [])];
  return { files, command: spoiledCommand, names };
}

/** Few tests are spoiled one by one. Of many, all are spoiled together, then some alone, by what the output of that run shows. */
function planSpoiling({ files, command, names }: SpoiledStep, draw: Draw) {
  const singles: Variant[] = files.flatMap(({ path, tests }) =>
    tests.map(({ name, content }) => ({
      what: `the test ${name} in ${path} fails`,
      files: [{ path, content }],
      alone: `${path}: ${name}`,
    })),
  );
  const areAll = command === undefined && files.every(({ tests }) => tests.length > 0);
  if (areAll && singles.length <= few) return { first: takeOne(singles, draw), others: () => singles };
  const first: Variant = { what: `every check in ${names.join(', ')} fails`, files, command };
  return { first, others: (output: string) => chooseAlone(singles, output, draw) };
}

/** Tests whose failure an output does not show, since the others may have failed for them; one of any at least, since work may write what it wants. */
function chooseAlone(singles: Variant[], output: string, draw: Draw): Variant[] {
  if (singles.length < 2) return [];
  const silent = singles.filter(({ alone = '' }) => !output.includes(alone.slice(alone.indexOf(': ') + 2)));
  while (silent.length > maxAlone) takeOne(silent, draw);
  return silent.length ? silent : [takeOne(singles, draw)];
}

/**
 * The command with each check file placed anew, whether it is spoiled or not, and with a remark at its end: so neither a file's times nor its sums say
 * which of the runs it is.
 */
function placeAnew(
  command: PreparedCommand,
  { files }: SpoiledStep,
  { spoiled, draw }: { spoiled: Variant | undefined; draw: Draw },
): PreparedCommand {
  const placed = files.map(({ path, original }) => {
    const content = spoiled?.files.find((one) => one.path === path)?.content ?? original;
    return { path, content: withRemark(path, content, draw) };
  });
  const others = (command.files ?? []).filter(({ path }) => !placed.some((one) => one.path === path));
  const line = spoiled?.command ?? command.command;
  return { ...command, command: line, files: [...others, ...placed], isSpoiled: spoiled !== undefined };
}

function withRemark(path: string, content: string, draw: Draw): string {
  const mark = /\.[cm]?[jt]sx?$/.test(path) ? '//' : '#';
  return `${content}${content.endsWith('\n') ? '' : '\n'}${mark} ${draw(2 ** 32).toString(36)}\n`;
}

/** Takes one of several out of them. */
function takeOne<One>(several: One[], draw: Draw): One {
  return several.splice(draw(several.length), 1)[0] as One;
}

function refuse(step: StepResult, what: string): StepResult {
  return {
    ...step,
    passed: false,
    outcome: 'passes with checks that must fail',
    output: `${step.output}\nThis step passes also where ${what}. So its exit code proves nothing: something ends the test runner early, changes what it reports, keeps it from running what it should, or answers whatever is asked.`,
  };
}
