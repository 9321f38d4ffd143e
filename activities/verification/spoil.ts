import { randomInt } from 'node:crypto';
import type { FeatureState } from '../../db/features/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { spoilCommand } from '../../domain/verification/spoil/commands/spoil-command.ts';
import { type Draw, drawsOf } from '../../domain/verification/spoil/draw.ts';
import type { HelperFile } from '../../domain/verification/spoil/helpers/helper-file.ts';
import { type SpoiledHelper, spoilHelper } from '../../domain/verification/spoil/helpers/spoil-helper.ts';
import { isKnownCheck, runsCheck, spoilCheck } from '../../domain/verification/spoil/spoil-check.ts';
import type { SpoiledCheck } from '../../domain/verification/spoil/spoiled-check.ts';
import { hasReport, namesCheck, showsFailure } from '../../domain/verification/test-counts.ts';
import type { ChangedFile, ProjectRepository } from '../../git/repository/project-repository.ts';
import { maxSideBySide, type PlacedFile, type PreparedCommand, type PreparedCommit } from './prepared-commit.ts';
import { isProtected } from './protected-files.ts';

/** The content of a check file. */
export interface CheckFile extends PlacedFile {
  content: string;
  /** It is not protected, but the work left it as it was. */
  isOpen?: boolean;
  /** Steps that were seen to run it before the work, by what their runner reported. */
  shownBy?: string[];
}

/** The check files of a feature at a commit: the protected ones, and others that its steps ran before the work. */
export async function readChecks(
  repository: ProjectRepository,
  feature: Pick<FeatureState, 'verification'>,
  { commit, changed = [], before = [] }: { commit: string; changed?: ChangedFile[]; before?: StepResult[] },
): Promise<CheckFile[]> {
  const { protectedPaths, steps } = feature.verification;
  const isCheck = (path: string) => steps.some(({ command }) => isKnownCheck(path, command));
  const isAsBefore = (path: string) =>
    !/(^|\/)node_modules\//.test(path) && isKnownCheck(path) && !changed.some((one) => one.path === path);
  const reports = before.filter(({ output }) => hasReport(output));
  const checks: CheckFile[] = [];
  for (const path of await repository.listFiles(commit)) {
    const isOpen = !isProtected(path, protectedPaths);
    const shownBy = reports.filter(({ output }) => namesCheck(output, path)).map(({ command }) => command);
    if (isOpen ? shownBy.length === 0 || !isAsBefore(path) : !isCheck(path)) continue;
    const content = await repository.readText(commit, path);
    if (content !== undefined) checks.push({ path, content, isOpen, shownBy });
  }
  return checks;
}

/** How it is known that a step runs a check: by its command, or by what it reported before the work. */
export function knowsRun(
  { command, runs = command }: Pick<PreparedCommand, 'command' | 'runs'>,
  { path, isOpen = false, shownBy = [] }: CheckFile,
): 'command' | 'report' | undefined {
  if (!isOpen && runsCheck(runs, path)) return 'command';
  return shownBy.includes(command) ? 'report' : undefined;
}

/** Of many tests. Each costs a container and the time of the step. */
const maxAlone = 5;
/** So few tests are all spoiled alone, and not together. */
const few = 3;

/**
 * Runs a step as it is and, beside it, with its checks spoiled. Spoiled, it must fail: a step that passes whatever its checks say proves nothing, as where the
 * work ends the test runner, steers it, or answers any comparison. Some tests are spoiled alone, since a step that leaves out one of many fails for the
 * others, and so is a helper that they use. The result has all that beside it.
 */
export async function runProven(
  prepared: PreparedCommit,
  command: PreparedCommand,
  checks: CheckFile[],
  helpers: HelperFile[] = [],
): Promise<StepResult> {
  const draw = drawsOf(randomInt(2 ** 32));
  const spoiling = spoilStep(command, { checks, helpers }, draw);
  if (spoiling.names.length === 0) return prepared.run(command);
  const { first, second, others } = planSpoiling(spoiling, draw);
  const runWith = (spoiled: Variant) => prepared.run(placeAnew(command, spoiling, { spoiled, draw }));

  // It is drawn which starts first, and whether the step runs as it is with the first or later: neither the time nor the container tells the work which run it is in.
  const left: Variant[] = second ? inDrawnOrder([asItIs, second], draw) : [asItIs];
  let some = [first, ...left.splice(0, 1)];
  let step: StepResult | undefined;
  let spoiled: StepResult['spoiled'];
  let notNoticed: Variant | undefined;
  const alone: string[] = [];
  while (some.length > 0) {
    some = inDrawnOrder(some, draw);
    const results = await settleAll(some.map(runWith));
    for (const [index, variant] of some.entries()) {
      const result = results[index] as StepResult;
      if (variant === asItIs) step = result;
      else if (result.passed) notNoticed ??= variant;
      if (variant.alone) alone.push(variant.alone);
      if (variant !== first) continue;
      const { outcome, exitCode, output } = result;
      spoiled = { files: spoiling.names, outcome, exitCode, output };
      left.push(...others(output));
    }
    if (step?.passed === false) return step;
    some = step && notNoticed ? [] : left.splice(0, maxSideBySide);
  }
  if (!step || !spoiled) throw new Error('Expected the step to have run as it is and spoiled.');
  const proven = { ...step, spoiled: { ...spoiled, ...(alone.length ? { alone } : {}) } };
  return notNoticed ? refuse(proven, notNoticed.what) : proven;
}

/** Two in either order. */
function inDrawnOrder<One>(some: One[], draw: Draw): One[] {
  return draw(2) ? some.toReversed() : some;
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
  helper: SpoiledHelper | undefined;
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
  /** The test, or the function of a helper, that is spoiled alone. */
  alone?: string;
}

/** Nothing is spoiled. */
const asItIs: Variant = { what: '', files: [] };

function spoilStep(
  step: PreparedCommand,
  { checks, helpers }: { checks: CheckFile[]; helpers: HelperFile[] },
  draw: Draw,
): SpoiledStep {
  const { command, runs = command } = step;
  const files = checks.flatMap((check) => {
    const { path, content } = check;
    const known = knowsRun(step, check);
    const spoiled = known && spoilCheck(path, content, { command: runs, draw });
    if (!spoiled) return [];
    // Which of its tests run is not known by a report.
    return [{ path, original: content, ...spoiled, tests: known === 'command' ? spoiled.tests : [] }];
  });
  const withTests = files.map(({ path, original, tests }) => ({ path, content: original, tests }));
  const helper = spoilHelper(withTests, helpers, draw);
  const spoiledCommand = spoilCommand(command, draw);
  const names = [...files.map(({ path }) => path), ...(spoiledCommand ? ['the command'] : [])];
  return { files, helper, command: spoiledCommand, names };
}

/** Few tests are spoiled one by one. Of many, all are spoiled together, and one alone; then others, by what the output of the first run shows. A helper is one more. */
function planSpoiling({ files, helper, command, names }: SpoiledStep, draw: Draw) {
  const singles: Variant[] = files.flatMap(({ path, tests }) =>
    tests.map(({ name, content }) => ({
      what: `the test ${name} in ${path} fails`,
      files: [{ path, content }],
      alone: `${path}: ${name}`,
    })),
  );
  const areAll = command === undefined && files.every(({ tests }) => tests.length > 0);
  const isFew = areAll && singles.length <= few;
  const all: Variant = { what: `every check in ${names.join(', ')} fails`, files, command };
  const left = isFew ? [...singles, ...spoilHelperAlone(helper)] : singles;
  const first = isFew ? takeOne(left, draw) : all;
  const ofHelper = isFew ? [] : spoilHelperAlone(helper);
  const second = left.length > (isFew ? 0 : 1) ? takeOne(left, draw) : ofHelper.pop();
  return {
    first,
    second,
    others: (output: string) => (isFew ? left : [...chooseSilent(left, output, draw), ...ofHelper]),
  };
}

function spoilHelperAlone(helper: SpoiledHelper | undefined): Variant[] {
  if (!helper) return [];
  const { path, content, name } = helper;
  return [{ what: `${name} in ${path} fails`, files: [{ path, content }], alone: `${path}: ${name}` }];
}

/** Tests whose failure an output does not show, since the others may have failed for them. */
function chooseSilent(singles: Variant[], output: string, draw: Draw): Variant[] {
  const silent = singles.filter(({ alone = '' }) => !showsFailure(output, alone.slice(alone.indexOf(': ') + 2)));
  while (silent.length > maxAlone - 1) takeOne(silent, draw);
  return silent;
}

/**
 * The command with each check file placed anew, whether it is spoiled or not, and with a remark at its end: so neither a file's times nor its sums say
 * which of the runs it is.
 */
function placeAnew(
  command: PreparedCommand,
  { files, helper }: SpoiledStep,
  { spoiled, draw }: { spoiled: Variant; draw: Draw },
): PreparedCommand {
  const placed = [...files, ...(helper ? [helper] : [])].map(({ path, original }) => {
    const content = spoiled.files.find((one) => one.path === path)?.content ?? original;
    return { path, content: withRemark(path, content, draw) };
  });
  const others = (command.files ?? []).filter(({ path }) => !placed.some((one) => one.path === path));
  const line = spoiled.command ?? command.command;
  return { ...command, command: line, files: [...others, ...placed], isSpoiled: spoiled !== asItIs };
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
