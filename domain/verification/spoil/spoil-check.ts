import { foldersAbove } from '../../folders-above.ts';
import { onlyLooks } from './commands/only-looks.ts';
import { atCommand, findScriptCalls, folderOf, maxCommand, meaningOf } from './commands/script-calls.ts';
import { spoilShell } from './commands/spoil-shell.ts';
import type { Draw } from './draw.ts';
import { spoilJavaScript } from './javascript/spoil-javascript.ts';
import { spoilPython } from './python/spoil-python.ts';
import type { SpoiledCheck } from './spoiled-check.ts';

/** Characters of a larger file, of which nothing is known. */
const maxContent = 256 * 1024;

/** How a check is spoiled. */
export interface Spoiling {
  /** The step that runs it. */
  command: string;
  /** Chooses what is changed, and to what: work cannot know it. */
  draw: Draw;
}

/**
 * A check file that must fail, made from one that passes: each test in it, so that any selection of them fails too. Undefined for a file of which nothing
 * is known.
 */
export function spoilCheck(path: string, content: string, spoiling: Spoiling): SpoiledCheck | undefined {
  if (content.length > maxContent) return undefined;
  return kindOf(path, spoiling.command)?.spoil(content, { ...spoiling, path });
}

/**
 * Whether a file is a check of a known kind: by its name, or if a command is given, as a program that it runs, or as a file of JavaScript among tests,
 * which only what is protected can be.
 */
export function isKnownCheck(path: string, command?: string): boolean {
  return kindOf(path, command) !== undefined;
}

function kindOf(path: string, command?: string): Kind | undefined {
  const named = kindByName(path);
  if (named || command === undefined) return named;
  return kindAsProgram(path, command) ?? kindByFolder(path);
}

function kindByName(path: string): Kind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return kinds.find(({ files }) => files.test(name));
}

function kindAsProgram(path: string, command: string): Kind | undefined {
  return runsProgram(command, path) ? kinds.find(({ programs }) => programs?.test(path)) : undefined;
}

function kindByFolder(path: string): Kind | undefined {
  return testsOfFolder.files.test(path) ? testsOfFolder : undefined;
}

/** An interpreter, with its options. */
const python = String.raw`(?<![\w./-])(?:[\w./-]*\/)?python[\d.]*\s+(?:-[XW]\s+\S+\s+|-\S+\s+)*`;
const optionsOfNode = String.raw`\s+(?:(?:-[rC]|--(?:require|import|loader|experimental-loader|conditions|env-file|test-reporter))\s+\S+\s+|-\S+\s+)*`;
const javascript = String.raw`(?<![\w./-])(?:[\w./-]*\/)?(?:node|bun(?:\s+run)?|tsx|deno\s+run)${optionsOfNode}`;
/** Runs the tests of Node's own runner. */
const nodeTest = `(?:node|tsx)${optionsOfNode}--test`;

/** Whether a command runs a file as a program, rather than gives it to one. */
function runsProgram(line: string, path: string): boolean {
  const command = line.slice(0, maxCommand);
  return placesOf(command, path).some((place) => {
    const file = `(?:\\./)?${asLiteral(place)}(?![\\w./-])`;
    const module = `(?<=-m\\s+)${asLiteral(moduleOf(place).replace(/\.__main__$/, ''))}(?![\\w.])`;
    return new RegExp(`${python}(?:${file}|${module})|${javascript}${file}|${atCommand}${file}`).test(command);
  });
}

interface Kind {
  files: RegExp;
  /** Files of the same language that are checks where a command runs them. */
  programs?: RegExp;
  runners: RegExp;
  spoil(content: string, how: Spoiling & { path: string }): SpoiledCheck | undefined;
}

const kinds: Kind[] = [
  {
    files: /^(test.*|.*_test|tests)\.py$/,
    programs: /\.py$/,
    runners: asWord('pytest|py\\.test|unittest|nose2|tox|nox'),
    spoil: (content, { draw, command, path }) =>
      spoilPython(content, draw, {
        picksTests: picksPythonTests(command, path),
        runsFunctions: asWord('pytest|py\\.test').test(command),
      }),
  },
  {
    files:
      /\.(test|spec)\.[cm]?[jt]sx?$|^(test|spec)[-_.].*\.[cm]?[jt]sx?$|[_-](test|spec)\.[cm]?[jt]sx?$|^tests?\.[cm]?[jt]sx?$/,
    programs: /\.[cm]?[jt]s$/,
    runners: asWord(
      `jest|vitest|mocha|ava|tap|jasmine|uvu|playwright\\s+test|karma\\s+start|(deno|ng|npm|pnpm|yarn|bun)\\s+(run\\s+)?test|${nodeTest}`,
    ),
    spoil: (content, { command, draw }) =>
      spoilJavaScript(content, draw, {
        picksTests: picksTests.test(command) || picksTestsItself.test(content),
        skipsTests: skipsTests.test(content),
      }),
  },
  {
    files: /\.(sh|bash|bats)$/,
    runners: asWord('bats'),
    spoil: (content, { draw }) => ({ content: spoilShell(content, draw), tests: [] }),
  },
];

/** Picks some of the tests of a JavaScript file by their names. */
const picksTests = /(?<!\S)(-t|-g|--grep|--testNamePattern|--test-name-pattern)(?=[\s=])/;

/** Which of the tests of a JavaScript file do not run cannot be told from each by itself. */
const picksTestsItself = /\.only\b|\bf(test|it|describe)\b|\bdescribe\.(skip|todo)\b|\bxdescribe\b/;

/** Some of the tests of a JavaScript file may not run, depending on what it finds. */
const skipsTests = /\b(skip|only|todo)\s*:|\b(skipIf|runIf)\b/;

/** Picks some of the tests of a Python file by their names or marks. */
function picksPythonTests(command: string, path: string): boolean {
  const module = asLiteral(path.slice(path.lastIndexOf('/') + 1).replace(/\.py$/, ''));
  return new RegExp(
    `::|(?<!\\S)(-k|--deselect|--lf)(?=[\\s=])|pytest\\s.*\\s-m\\s|\\b${module}\\.(?!py\\b)\\w|python3?\\s+\\S*\\b${module}\\.py\\s+\\w`,
  ).test(command);
}

/** Files of JavaScript among tests, of any name, as mocha and Node run them. Another runner may leave some of them out. */
const testsOfFolder: Kind = {
  files: /(^|\/)(tests?|__tests__|specs?)\/(?!(.*\/)?(fixtures|helpers|support|mocks|__mocks__)\/).*\.[cm]?[jt]sx?$/,
  runners: asWord(`mocha|ava|tap|jasmine|uvu|${nodeTest}`),
  spoil(content, how) {
    const spoiled = kindByName('any.test.js')?.spoil(content, how);
    return spoiled && { ...spoiled, tests: [] };
  },
};

/** A program by its name, also where it is called in a folder of programs, as `node_modules/.bin/jest`, or in its package. */
function asWord(words: string): RegExp {
  return new RegExp(`(?<![\\w.-]|(?<!\\bbin|\\bnode_modules/[\\w/-]+)/)(${words})(?![\\w-])`);
}

/**
 * Whether a command runs a check: it names the check's file or module, all of a folder that the file is in, also from a folder that it changes to, or a
 * runner of such files, or may run any by a script or target; a command that only looks at files runs none.
 * @param command With the texts of the scripts and targets that it calls, if they are known.
 */
export function runsCheck(line: string, path: string): boolean {
  const command = line.slice(0, maxCommand);
  if (onlyLooks(command)) return false;
  if (kindAsProgram(path, command)) return true;
  const kind = kindByName(path) ?? kindByFolder(path);
  if (!kind) return false;
  if (kind.runners.test(command) || mayRunByScript(command, path)) return true;
  return placesOf(command, path).some((place) => names(command, place));
}

/** Whether a command calls targets of any makefile, or for a check in JavaScript, a script of npm, whose name does not say that it only looks at files. */
function mayRunByScript(command: string, path: string): boolean {
  const calls = findScriptCalls(command).filter((call) => meaningOf(call) !== 'looks');
  return calls.some(({ program }) => program === 'make' || /\.[cm]?[jt]sx?$/.test(path));
}

/** What a path may be called in a command: as it is, and from the folder that the command changes to. */
function placesOf(command: string, path: string): string[] {
  const folder = folderOf(command);
  return folder && path.startsWith(folder) ? [path, path.slice(folder.length)] : [path];
}

/** The program `test`, which is no folder of that name. */
const testProgram = new RegExp(`${atCommand}test(?=\\s)`, 'g');

/** Whether a command runs a check that it names by its file or module. */
export function namesFile(command: string, path: string): boolean {
  const isNamed = placesOf(command, path).some((place) => includesFile(command, place));
  return isNamed && runsCheck(command, path);
}

function includesFile(command: string, path: string): boolean {
  return command.includes(path) || (path.endsWith('.py') && command.includes(moduleOf(path)));
}

function names(command: string, path: string): boolean {
  if (includesFile(command, path)) return true;
  const withoutTest = command.replace(testProgram, ':');
  return foldersAbove(path).some((folder) =>
    new RegExp(`(?<![\\w./-])(\\./)?${asLiteral(folder)}/?(?=$|[\\s"'*;&|)])`).test(withoutTest),
  );
}

function moduleOf(path: string): string {
  return path.replace(/\.\w+$/, '').replaceAll('/', '.');
}

function asLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
