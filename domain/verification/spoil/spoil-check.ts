import { literalPattern } from '../../literal-pattern.ts';
import {
  type Interpreter,
  interpreterOf,
  isGivenTo,
  mayRun,
  namesAny,
  namesItself,
  nodeTest,
} from './commands/named-files.ts';
import { onlyLooks } from './commands/only-looks.ts';
import { findScriptCalls, maxCommand, meaningOf } from './commands/script-calls.ts';
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
  return kindOf(path, spoiling.command, content)?.spoil(content, { ...spoiling, path });
}

/**
 * Whether a file is a check of a known kind: by its name, or if a command is given, as a program that it runs, as a file that it gives to a runner, or as a
 * file of JavaScript among tests, which only what is protected can be.
 */
export function isKnownCheck(path: string, command?: string): boolean {
  return kindOf(path, command) !== undefined;
}

function kindOf(path: string, line?: string, content = ''): Runnable | undefined {
  const named = kindByName(path);
  if (named || line === undefined) return named;
  const command = line.slice(0, maxCommand);
  return kindAsProgram(path, command, content) ?? kindOfRunner(path, command) ?? kindByFolder(path);
}

function kindByName(path: string): Kind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return kinds.find(({ files }) => files.test(name));
}

/** The language of a program is said by its ending, or if it has none that is known, by what runs it. */
function kindAsProgram(path: string, command: string, content = ''): Kind | undefined {
  const interpreter = interpreterOf(command, path);
  if (!interpreter) return undefined;
  const ofEnding = kinds.find(({ programs }) => programs.test(path));
  const isUnknown = /\.\w+$/.test(path) && interpreter === 'itself';
  if (ofEnding || isUnknown) return ofEnding;
  const language = interpreter === 'itself' ? languageOf(content) : interpreter;
  return kinds.find((kind) => kind.language === language);
}

/** The language of a program without an ending, by its first line. */
function languageOf(content: string): Interpreter {
  const [first = ''] = content.split('\n', 1);
  return /^#!.*python/.test(first) ? 'python' : /^#!.*(node|bun|deno)/.test(first) ? 'javascript' : 'shell';
}

function kindOfRunner(path: string, command: string): Kind | undefined {
  return kinds.find(({ programs, runners }) => programs.test(path) && isGivenTo(runners, command, path));
}

function kindByFolder(path: string): Runnable | undefined {
  return testsOfFolder.files.test(path) ? testsOfFolder : undefined;
}

interface Runnable {
  files: RegExp;
  runners: RegExp;
  spoil(content: string, how: Spoiling & { path: string }): SpoiledCheck | undefined;
}

interface Kind extends Runnable {
  language: Interpreter;
  /** Files of the same language, which are checks where a command runs them or gives them to a runner. */
  programs: RegExp;
}

const kinds: Kind[] = [
  {
    language: 'python',
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
    language: 'javascript',
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
    language: 'shell',
    files: /\.(sh|bash|bats)$/,
    programs: /\.(sh|bash|bats)$/,
    runners: asWord('bats'),
    spoil: (content, { draw }) => spoilShell(content, draw),
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
  const module = literalPattern(path.slice(path.lastIndexOf('/') + 1).replace(/\.py$/, ''));
  return new RegExp(
    `::|(?<!\\S)(-k|--deselect|--lf)(?=[\\s=])|pytest\\s.*\\s-m\\s|\\b${module}\\.(?!py\\b)\\w|python3?\\s+\\S*\\b${module}\\.py\\s+\\w`,
  ).test(command);
}

/** Files of JavaScript among tests, of any name, as mocha and Node run them. Another runner may leave some of them out. */
const testsOfFolder: Runnable = {
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
  if (kindAsProgram(path, command) || kindOfRunner(path, command)) return true;
  const kind = kindByName(path) ?? kindByFolder(path);
  if (!kind) return false;
  if (mayRun(kind.runners, command, path) || mayRunByScript(command, path)) return true;
  return namesAny(command, path);
}

/** Whether a command calls targets of any makefile, or for a check in JavaScript, a script of npm, whose name does not say that it only looks at files. */
function mayRunByScript(command: string, path: string): boolean {
  const calls = findScriptCalls(command).filter((call) => meaningOf(call) !== 'looks');
  // What follows the name of a script is handed on to its runner.
  const handsOn = ({ end }: { end: number }) => mayRun(/^/, command.slice(end), path);
  return calls.some((call) => call.program === 'make' || (/\.[cm]?[jt]sx?$/.test(path) && handsOn(call)));
}

/** Whether a command runs a check that it names by its file or module. A program of the project that it tries is none. */
export function namesAsCheck(command: string, path: string): boolean {
  if (!namesItself(command, path) || !runsCheck(command, path)) return false;
  return isCalledCheck(path) || kindOfRunner(path, command) !== undefined;
}

/** A command that runs a check as a program, by the ending of its name; undefined for a helper, and for a file whose name does not say that it is a check. */
export function commandOfCheck(path: string): string | undefined {
  const kind = kinds.find(({ programs }) => programs.test(path));
  return kind && isCalledCheck(path) && !helper.test(path) ? `${programsOf[kind.language]} ${path}` : undefined;
}

const programsOf = { python: 'python3', javascript: 'node', shell: 'sh', itself: '' };
const helper = /(^|\/)(__init__|conftest|setup|(test_?)?(helpers?|utils?|support|fixtures?|data|mocks?))\b/i;

/** Whether the path of a file says that it checks others. */
function isCalledCheck(path: string): boolean {
  const named = kindByName(path);
  if (named && named.language !== 'shell') return true;
  return kindByFolder(path) !== undefined || wordsOfChecks.test(path);
}

const wordsOfChecks = /(^|[/_.-])(tests?|specs?|checks?|verif\w*|accept\w*|valid\w*)(?=[/_.-]|$)/i;
