import { dirname } from 'node:path';
import type { FeatureState } from '../../db/features/features.ts';
import type { FeatureVerification, SealedCheck, StepResult } from '../../domain/project/settings.ts';
import { expandCommands, type Scripts } from '../../domain/verification/spoil/commands/expand-command.ts';
import { lints, onlyLooks } from '../../domain/verification/spoil/commands/only-looks.ts';
import type { HelperFile } from '../../domain/verification/spoil/helpers/helper-file.ts';
import { runsCheck } from '../../domain/verification/spoil/spoil-check.ts';
import { readTestCounts } from '../../domain/verification/test-counts.ts';
import type { FormerFiles } from './former-files.ts';
import type { PlacedFile, PreparedCommand, PreparedCommit } from './prepared-commit.ts';
import { type CheckFile, knowsRun } from './read-checks.ts';
import { type Proving, provesNothing, runProven } from './run-proven.ts';

/** Acceptance tests end within a minute; a step may say otherwise. */
const stepTimeoutMs = 5 * 60 * 1000;

/** What the steps of a feature are tried with, beside the committed files. */
export interface Scrutiny {
  /** Each step that passes has to fail once these are spoiled. */
  checks: CheckFile[];
  /** What the checks use of other files of tests; each step that passes has to fail once that is spoiled. */
  helpers?: HelperFile[];
  /** The scripts and targets that steps call, as they were before the work; what is not among them is guessed by its name. */
  scripts?: Scripts;
  /** With these, each step that runs a check has to pass as well. */
  former?: FormerFiles;
  /** The steps as they ran before the work; a step that passes has to run as many tests. */
  before?: StepResult[];
}

/** Runs the steps of a feature's verification and its sealed checks until one fails. */
export function runSteps(
  prepared: PreparedCommit,
  { verification }: Pick<FeatureState, 'verification'>,
  { checks, helpers = [], scripts = new Map(), former, before = [] }: Scrutiny = { checks: [] },
): Promise<StepResult[]> {
  const commands = verification.steps.flatMap(({ command }) => command ?? []);
  const pathsOf = (files: PlacedFile[]) => files.map(({ path }) => path);
  const runsOfSteps = expandCommands(commands, scripts, pathsOf(checks));
  return untilOneFails(verification, async (plain, sealed) => {
    const { command } = plain;
    const own = sealed?.files ?? checks;
    const expanded = sealed ? expandCommands([command], withFiles(scripts, own), pathsOf(own)) : runsOfSteps;
    const runs = expanded.get(command) ?? command;
    const step = { ...plain, runs };
    const others = sealed ? [] : othersOf(plain, verification, runsOfSteps);
    const proven = await runProven(prepared, step, { checks: own, helpers, others });
    const result = sealed ? proven : refuseFewerTests(proven, before);
    const runsAny = own.some((check) => knowsRun(step, check));
    const steering = former?.steering ?? [];
    const runsFormer = steering.some(({ path }) => runsCheck(runs, path));
    const isSteered = runsAny || runsFormer || lints(runs) || (sealed !== undefined && !onlyLooks(runs));
    if (!result.passed || !former || steering.length === 0 || !isSteered) return [result];
    return [result, await runWithFormer(prepared, step, former, { checks: own, helpers, others })];
  });
}

/** Runs the steps as they are, and the sealed checks, until one fails: with further files, and within a shorter time, if given. */
export function runPlainly(
  prepared: PreparedCommit,
  { verification }: FeatureState,
  { files = [], maxTimeoutMs = Number.POSITIVE_INFINITY }: { files?: PlacedFile[]; maxTimeoutMs?: number } = {},
): Promise<StepResult[]> {
  return untilOneFails(verification, async (step) => [
    await prepared.run({
      ...step,
      files: [...files, ...(step.files ?? [])],
      timeoutMs: Math.min(step.timeoutMs, maxTimeoutMs),
    }),
  ]);
}

/** Of a sealed check, whose result the agents that do the work never see, they read the requirement and nothing else. */
async function untilOneFails(
  { steps, sealed }: FeatureVerification,
  run: (step: PreparedCommand, sealed?: SealedCheck) => Promise<StepResult[]>,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const { description, command, timeoutMs = stepTimeoutMs } of steps) {
    if (!command) continue;
    results.push(...(await run({ description, command, timeoutMs })));
    if (!results.at(-1)?.passed) return results;
  }
  for (const check of sealed) {
    const { requirement: description, command, timeoutMs = stepTimeoutMs } = check;
    const files = [...modulesBefore(check), ...check.files];
    results.push(...(await run({ description, command, files, timeoutMs }, check)).map(seal));
    if (!results.at(-1)?.passed) return results;
  }
  return results;
}

/** What Python would take in place of the modules of a sealed check, and only the work can have put there: it is removed. */
function modulesBefore({ files }: SealedCheck): PlacedFile[] {
  const modules = files.filter(({ path }) => path.endsWith('.py')).map(({ path }) => path.slice(0, -'.py'.length));
  return modules
    .flatMap((module) => [
      `${module}/__init__.py`,
      `${module}.so`,
      `${module}.abi3.so`,
      `${dirname(module)}/__pycache__`,
    ])
    .filter((path) => !files.some((file) => file.path === path))
    .map((path) => ({ path, content: null }));
}

/** The steps beside one of them. */
function othersOf(
  { command: own }: PreparedCommand,
  { steps }: FeatureVerification,
  runsOf: ReadonlyMap<string, string>,
): PreparedCommand[] {
  return steps.flatMap(({ description, command, timeoutMs = stepTimeoutMs }) =>
    command && command !== own ? [{ description, command, timeoutMs, runs: runsOf.get(command) ?? command }] : [],
  );
}

/** The scripts, and those among the files of a sealed check. */
function withFiles(scripts: Scripts, files: CheckFile[] | SealedCheck['files']): Scripts {
  return { get: (path) => files.find((file) => file.path === path)?.content ?? scripts.get(path) };
}

/** A step that passes fails all the same if its runner reports fewer tests than before the work. Where either run reports none, nothing is known. */
function refuseFewerTests(step: StepResult, before: StepResult[]): StepResult {
  const earlier = before.find(({ command }) => command === step.command);
  const [now, then] = [step, earlier].map((one) => one && readTestCounts(one.output));
  if (!step.passed || !now || !then || now.ran >= then.ran) return step;
  const reason = `${then.ran} tests ran in this step before the work, ${now.ran} run now (skipped: ${now.skipped}). Work must not leave out tests. A person can remove them in the project's folder.`;
  return { ...step, passed: false, outcome: 'ran fewer tests', output: `${step.output}\n${reason}` };
}

/** Runs a step with what steers it as it was, then, should it fail, with all of the tests as they were. */
async function runWithFormer(
  prepared: PreparedCommit,
  step: PreparedCommand,
  { steering, tests }: FormerFiles,
  { checks, helpers, others }: Required<Proving>,
): Promise<StepResult> {
  const names = steering.map(({ path }) => path).join(', ');
  const description = `${step.description} (with ${names} as before)`;
  const run = (former: PlacedFile[]) =>
    runProven(
      prepared,
      { ...step, description, files: [...former, ...(step.files ?? [])] },
      {
        checks: [...asBefore(checks, former), ...former.flatMap((file) => asCheck(file, checks))],
        helpers: asBefore(helpers, former),
        others,
      },
    );
  let result = await run(steering);
  if (failsItself(result) && tests.length) result = await run([...steering, ...tests]);
  if (!failsItself(result)) return result;
  const reason = `This step passes only with what the session changed in ${names}. Such files steer or help the checks, so a session's change to them must not be what makes its work pass. If the work needs the change, end with request_change.`;
  return { ...result, output: `${result.output}\n${reason}` };
}

/** Whether a step fails as it is, rather than that its checks prove nothing. */
function failsItself({ passed, outcome }: StepResult): boolean {
  return !passed && outcome !== provesNothing;
}

/** The files with their former content, without those that were added. */
function asBefore<File extends PlacedFile & { content: string }>(files: File[], former: PlacedFile[]): File[] {
  return files.flatMap((file) => {
    const earlier = former.find(({ path }) => path === file.path);
    if (!earlier) return [file];
    return earlier.content === null ? [] : [{ ...file, content: earlier.content }];
  });
}

/** A file that is no check of the feature any more, as it was. */
function asCheck({ path, content }: PlacedFile, checks: CheckFile[]): CheckFile[] {
  return content === null || checks.some((check) => check.path === path) ? [] : [{ path, content }];
}

function seal({ command, output, ...result }: StepResult): StepResult {
  return { ...result, command: 'sealed', output: '', sealed: { command, output } };
}
