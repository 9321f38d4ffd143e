import { foldersOf } from '../proposal.ts';
import { spoilJavaScript } from './spoil-javascript.ts';
import { spoilPython } from './spoil-python.ts';

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
export function spoilCheck(path: string, content: string, spoiling: Spoiling): string | undefined {
  return kindOf(path)?.spoil(content, spoiling);
}

/** Whether a file is a check of a known kind. */
export function isKnownCheck(path: string): boolean {
  return kindOf(path) !== undefined;
}

function kindOf(path: string) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return kinds.find(({ files }) => files.test(name));
}

const kinds: Array<{ files: RegExp; runners: RegExp; spoil(content: string, how: Spoiling): string | undefined }> = [
  {
    files: /^(test.*|.*_test|tests)\.py$/,
    runners: asWord('pytest|py\\.test|unittest|nose2|tox'),
    spoil: (content, { number }) => spoilPython(content, number),
  },
  {
    files: /\.(test|spec)\.[cm]?[jt]sx?$|^(test|spec)[-_.].*\.[cm]?[jt]sx?$|^tests?\.[cm]?[jt]sx?$/,
    runners: asWord('jest|vitest|mocha|ava|tap|node\\s+--test|(npm|pnpm|yarn|bun)\\s+(run\\s+)?test'),
    spoil: (content, { command, number }) =>
      spoilJavaScript(content, number, picksTests.test(command) || skipsTests.test(content)),
  },
  { files: /\.(sh|bash|bats)$/, runners: asWord('bats'), spoil: () => '#!/bin/sh\nexit 1\n' },
];

/** Picks some of the tests of a JavaScript file by their names. */
const picksTests = /(?<!\S)(-t|-g|--grep|--testNamePattern|--test-name-pattern)(?=[\s=])/;

/** Some of the tests of a JavaScript file do not run. */
const skipsTests = /\.(only|skip|todo)\b|\bx(test|it|describe)\b/;

/** Looks at files and runs none of them. */
const inspects =
  /^\s*(npx\s+|python3?\s+-m\s+)?(eslint|biome|prettier|tsc|ruff|flake8|mypy|pyright|pylint|black|isort|shellcheck|grep|test|\[|ls|cat|wc|diff)\s[^&;|$`]*$/;

/** Runs checks of any kind. */
const make = asWord('make\\s+(check|test)');

function asWord(words: string): RegExp {
  return new RegExp(`(?<![\\w./-])(${words})(?![\\w-])`);
}

/**
 * Whether a command runs a check: it names the check's file or module, all of a folder that the file is in, or a runner of such files; a command that only
 * looks at files runs none.
 */
export function runsCheck(command: string, path: string): boolean {
  if (inspects.test(command)) return false;
  if (make.test(command) || kindOf(path)?.runners.test(command)) return true;
  const module = path.replace(/\.\w+$/, '').replaceAll('/', '.');
  if (command.includes(path) || command.includes(module)) return true;
  return foldersOf(path).some((folder) =>
    new RegExp(`(?<![\\w./-])(\\./)?${asLiteral(folder)}/?(?=$|[\\s"'*;&|)])`).test(command),
  );
}

function asLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
