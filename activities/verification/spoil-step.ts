import { surelyRuns } from '../../domain/verification/spoil/commands/named-files.ts';
import { spoilCommand } from '../../domain/verification/spoil/commands/spoil-command.ts';
import { type Draw, inAnyOrder } from '../../domain/verification/spoil/draw.ts';
import type { HelperFile } from '../../domain/verification/spoil/helpers/helper-file.ts';
import { type SpoiledHelper, spoilHelper } from '../../domain/verification/spoil/helpers/spoil-helper.ts';
import { commandOfCheck, spoilCheck } from '../../domain/verification/spoil/spoil-check.ts';
import { fewTests, maxAlone, type SpoiledCheck } from '../../domain/verification/spoil/spoiled-check.ts';
import { showsFailure } from '../../domain/verification/test-counts.ts';
import type { PreparedCommand } from './prepared-commit.ts';
import { type CheckFile, knowsRun } from './read-checks.ts';

interface SpoiledFile extends SpoiledCheck {
  path: string;
  /** Its content as it is committed. */
  original: string;
  /** It is a program whose failure surely lets the step fail. */
  isAlone: boolean;
}

/** A step's check files, and its command if that has something to spoil. */
export interface SpoiledStep {
  files: SpoiledFile[];
  helper: SpoiledHelper | undefined;
  command: string | undefined;
  /** What is spoiled. */
  names: string[];
}

/** What is spoiled in one run of a step. */
export interface Variant {
  /** What must fail then. */
  what: string;
  files: Array<{ path: string; content: string }>;
  command?: string | undefined;
  /** The test, or the function of a helper, that is spoiled alone. */
  alone?: { path: string; name: string };
}

/** Nothing is spoiled. */
export const asItIs: Variant = { what: '', files: [] };

/** Spoils what a step checks by. */
export function spoilStep(
  step: PreparedCommand,
  { checks, helpers }: { checks: CheckFile[]; helpers: HelperFile[] },
  draw: Draw,
): SpoiledStep {
  const { command, runs = command } = step;
  const files = checks.flatMap((check) => {
    const { path, content } = check;
    const known = knowsRun(step, check);
    const asProgram = known === 'variable' ? commandOfCheck(path) : undefined;
    const spoiled = known && spoilCheck(path, content, { command: asProgram ?? runs, draw });
    if (!spoiled) return [];
    // Which of its tests run is not known otherwise.
    const tests = known === 'command' ? spoiled.tests : [];
    return [{ path, original: content, ...spoiled, tests, isAlone: tests.length === 0 && surelyRuns(runs, path) }];
  });
  const withTests = files.map(({ path, original, tests }) => ({ path, content: original, tests }));
  const helper = spoilHelper(withTests, helpers, draw);
  const spoiledCommand = spoilCommand(command, draw);
  const names = [...files.map(({ path }) => path), ...(spoiledCommand ? ['the command'] : [])];
  return { files, helper, command: spoiledCommand, names };
}

/** In which order the variants of a step run. */
interface Plan {
  first: Variant;
  /** Runs with the first one. */
  second: Variant | undefined;
  /** Those that follow, by what the first one printed. */
  others(output: string): Variant[];
}

/**
 * A few tests are spoiled one by one, and in several places. Of many, all are spoiled together, and then some of them alone. A helper is spoiled alone, and so
 * are programs, in several places as well.
 */
export function planVariants({ files, helper, command, names }: SpoiledStep, draw: Draw): Plan {
  const tests = files.flatMap(({ path, tests }) =>
    tests.map(({ name, contents }) => contents.map((content) => spoilTest({ path, name, content }))),
  );
  const [firsts, further] = [tests.flatMap(([first]) => first ?? []), tests.flatMap(([, ...others]) => others)];
  const areAll = command === undefined && files.every(({ tests }) => tests.length > 0);
  const helpers = helper ? [spoilFunction(helper)] : [];
  if (areAll && tests.length <= fewTests) {
    const some = inAnyOrder(further, draw).slice(0, maxAlone - firsts.length);
    return planFew([...firsts, ...some, ...helpers], draw);
  }
  const all: Variant = { what: `every check in ${names.join(', ')} fails`, files, command };
  const programs = files.filter(({ isAlone }) => isAlone || names.length === 1);
  const places = programs.flatMap(({ path, further = [] }) => further.map((content) => spoilFile({ path, content })));
  const others = [
    ...helpers,
    ...(names.length > 1 ? programs.map(spoilFile) : []),
    ...inAnyOrder(places, draw).slice(0, maxAlone - 1),
  ];
  return planMany(all, { tests: firsts, others }, draw);
}

interface Named {
  path: string;
  name: string;
  content: string;
}

function planFew(variants: Variant[], draw: Draw): Plan {
  const [first, second, ...rest] = inAnyOrder(variants, draw);
  if (!first) throw new Error('Expected something that is spoiled.');
  return { first, second, others: () => rest };
}

function planMany(all: Variant, { tests, others }: { tests: Variant[]; others: Variant[] }, draw: Draw): Plan {
  const drawn = inAnyOrder(tests, draw);
  const early = drawn.splice(0, drawn.length > 1 ? 1 : 0);
  const [second, ...later] = [...early, ...others];
  return {
    first: all,
    second,
    others: (output) => [...drawn.filter(isSilentIn(output)).slice(0, maxAlone - 1), ...later],
  };
}

/** Whether an output does not show that a test failed: then the others may have failed for it. */
function isSilentIn(output: string) {
  return ({ alone }: Variant) => alone !== undefined && !showsFailure(output, alone.name);
}

function spoilTest({ path, name, content }: Named): Variant {
  return { what: `the test ${name} in ${path} fails`, files: [{ path, content }], alone: { path, name } };
}

function spoilFunction({ path, content, name }: Named): Variant {
  return { what: `${name} in ${path} fails`, files: [{ path, content }], alone: { path, name } };
}

function spoilFile({ path, content }: Omit<Named, 'name'>): Variant {
  return { what: `the check ${path} fails`, files: [{ path, content }], alone: { path, name: 'the file' } };
}

/**
 * The command with each check file placed anew, whether it is spoiled or not, and with a remark at its end: so neither a file's times nor its sums say
 * which of the runs it is.
 */
export function placeAnew(
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

/** How a program of Node without an ending begins, or what its lines do. */
const javaScript = /^#!.*\b(?:node|bun|deno)\b|^\s*(?:const|let|var|import)\b[^\n]*(?:require\(|\bfrom\s+['"])/m;

function withRemark(path: string, content: string, draw: Draw): string {
  const isScript = /\.[cm]?[jt]sx?$/.test(path) || (!/\.(?:py|sh|bash|bats)$/.test(path) && javaScript.test(content));
  const mark = isScript ? '//' : '#';
  return `${content}${content.endsWith('\n') ? '' : '\n'}${mark} ${draw(2 ** 32).toString(36)}\n`;
}
