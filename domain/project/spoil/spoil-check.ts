import { foldersOf } from '../proposal.ts';
import { spoilJavaScript } from './spoil-javascript.ts';
import { spoilPython } from './spoil-python.ts';
import { spoilShell } from './spoil-shell.ts';
import type { SpoiledCheck } from './spoiled-check.ts';

/** Characters of a larger file, of which nothing is known, and of a command of which no more is looked at. */
const maxContent = 256 * 1024;
const maxCommand = 16 * 1024;

/** How a check is spoiled. */
export interface Spoiling {
  /** The step that runs it. */
  command: string;
  /** Any number: what a check compares is compared with it. Work cannot know it, so it cannot tell a spoiled check from one that it has not seen. */
  number: number;
}

/**
 * A check file that must fail, made from one that passes: each test in it, so that any selection of them fails too. Undefined for a file of which nothing
 * is known.
 */
export function spoilCheck(path: string, content: string, spoiling: Spoiling): SpoiledCheck | undefined {
  if (content.length > maxContent) return undefined;
  return kindOf(path, spoiling.command)?.spoil(content, { ...spoiling, path });
}

/** Whether a file is a check of a known kind: by its name, or if it is given, as a program that a command runs. */
export function isKnownCheck(path: string, command?: string): boolean {
  return kindOf(path, command) !== undefined;
}

function kindOf(path: string, command?: string) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const byName = kinds.find(({ files }) => files.test(name));
  if (byName || command === undefined || !runsProgram(command, path)) return byName;
  return kinds.find(({ programs }) => programs?.test(name));
}

/** Whether a command runs a file as a program, rather than gives it to one. */
function runsProgram(line: string, path: string): boolean {
  const command = line.slice(0, maxCommand);
  return placesOf(command, path).some((place) =>
    new RegExp(
      `(?:(?<![\\w./-])(?:python3?|node|bun|tsx)\\s+(?:-\\S+\\s+)*|(?:^|[;&|(\\n])[ \\t]*)(?:\\./)?${asLiteral(place)}(?![\\w./-])`,
    ).test(command),
  );
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
    runners: asWord('pytest|py\\.test|unittest|nose2|tox'),
    spoil: (content, { number, command, path }) =>
      spoilPython(content, number, {
        skipsTests: picksPythonTests(command, path) || skipsPythonTests.test(content),
        runsFunctions: asWord('pytest|py\\.test').test(command),
      }),
  },
  {
    files: /\.(test|spec)\.[cm]?[jt]sx?$|^(test|spec)[-_.].*\.[cm]?[jt]sx?$|^tests?\.[cm]?[jt]sx?$/,
    programs: /\.[cm]?[jt]s$/,
    runners: asWord('jest|vitest|mocha|ava|tap|node\\s+--test|(npm|pnpm|yarn|bun)\\s+(run\\s+)?test'),
    spoil: (content, { command, number }) =>
      spoilJavaScript(content, number, {
        picksTests: picksTests.test(command) || picksTestsItself.test(content),
        skipsTests: skipsTests.test(content),
      }),
  },
  {
    files: /\.(sh|bash|bats)$/,
    runners: asWord('bats'),
    spoil: (content, { number }) => ({ content: spoilShell(content, number), tests: [] }),
  },
];

/** Picks some of the tests of a JavaScript file by their names. */
const picksTests = /(?<!\S)(-t|-g|--grep|--testNamePattern|--test-name-pattern)(?=[\s=])/;

/** Some of the tests of a JavaScript file do not run. */
const picksTestsItself = /\.(only|skip|todo)\b|\b[xf](test|it|describe)\b/;

/** Some of the tests of a JavaScript file may not run, depending on what it finds. */
const skipsTests = /\b(skip|only|todo)\s*:|\b(skipIf|runIf)\b/;

/** Some of the tests of a Python file may not run. */
const skipsPythonTests = /skip|xfail|expectedFailure|load_tests|__test__|\bmark\.(?!parametrize\b)/i;

/** Picks some of the tests of a Python file by their names or marks. */
function picksPythonTests(command: string, path: string): boolean {
  const module = asLiteral(path.slice(path.lastIndexOf('/') + 1).replace(/\.py$/, ''));
  return new RegExp(
    `::|(?<!\\S)(-k|--deselect|--lf)(?=[\\s=])|pytest\\s.*\\s-m\\s|\\b${module}\\.(?!py\\b)\\w|python3?\\s+\\S*\\b${module}\\.py\\s+\\w`,
  ).test(command);
}

/** Looks at files and runs none of them. */
const inspects =
  /^\s*(npx\s+|python3?\s+-m\s+)?(eslint|biome|prettier|tsc|ruff|flake8|mypy|pyright|pylint|black|isort|shellcheck|grep|test|\[|ls|cat|wc|diff)\s[^&;|$`]*$/;

/** Runs checks of any kind. */
const make = asWord('make\\s+(check|test)');

function asWord(words: string): RegExp {
  return new RegExp(`(?<![\\w./-])(${words})(?![\\w-])`);
}

/**
 * Whether a command runs a check: it names the check's file or module, all of a folder that the file is in, also from a folder that it changes to, or a
 * runner of such files; a command that only looks at files runs none.
 */
export function runsCheck(line: string, path: string): boolean {
  const command = line.slice(0, maxCommand);
  if (inspects.test(command)) return false;
  const kind = kindOf(path);
  if (!kind) return isKnownCheck(path, command);
  if (make.test(command) || kind.runners.test(command)) return true;
  return placesOf(command, path).some((place) => names(command, place));
}

/** What a path may be called in a command: as it is, and from the folder that the command changes to. */
function placesOf(command: string, path: string): string[] {
  const [, folder] = /(?:^|[;&(\n])[ \t]*cd\s+(?:\.\/)?([\w./-]*\w)/.exec(command) ?? [];
  return path.startsWith(`${folder}/`) ? [path, path.slice(`${folder}/`.length)] : [path];
}

function names(command: string, path: string): boolean {
  if (command.includes(path) || (path.endsWith('.py') && command.includes(moduleOf(path)))) return true;
  return foldersOf(path).some((folder) =>
    new RegExp(`(?<![\\w./-])(\\./)?${asLiteral(folder)}/?(?=$|[\\s"'*;&|)])`).test(command),
  );
}

function moduleOf(path: string): string {
  return path.replace(/\.\w+$/, '').replaceAll('/', '.');
}

function asLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
