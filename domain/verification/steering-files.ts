import { foldersAbove } from '../folders-above.ts';
import { mayHaveTargets } from './spoil/commands/expand-command.ts';
import { findScriptCalls } from './spoil/commands/script-calls.ts';
import { isKnownCheck } from './spoil/spoil-check.ts';

/**
 * Files that steer what runs the checks, by ecosystem. A session may change them, but what existed before must do for its feature as well: its steps also
 * run with these files as they were.
 */
const steering: Record<string, RegExp[]> = {
  python: [
    /^(conftest|sitecustomize|usercustomize|noxfile)\.py$/,
    /^(\.?pytest|tox|\.?mypy)\.ini$/,
    /^(setup\.cfg|pyproject\.toml)$/,
    /^(\.coveragerc|\.pylintrc|\.flake8|\.?ruff\.toml|(nose2|unittest)\.cfg)$/,
    /\.pth$/,
  ],
  javascript: [
    /^package\.json$/,
    /^(jest|vitest|vite|playwright|ava|karma|cypress|web-test-runner|babel|eslint)\.config\.\w+$/,
    /^\.(mocharc|npmrc|taprc|c8rc|nycrc|babelrc|eslintrc)(\.\w+)?$/,
    /^tsconfig(\.[\w-]+)*\.json$/,
    /^biome\.jsonc?$/,
    /^((jest|vitest|mocha|test)[.-](setup|env\w*|globals?|preset|workspace)|setup-?[tT]ests)\.\w+$/,
    /^(\.swcrc|bunfig\.toml|deno\.jsonc?|\.jasmine\.\w+|\.env(\.test)?)$/,
  ],
  make: [/^(GNUmakefile|[Mm]akefile)$/, /\.mk$/],
  just: [/^\.?[Jj]ustfile$/],
  git: [/^\.gitattributes$/],
};

/** Folders of what tests use. */
const testFolder = /(^|\/)(tests?|__tests__|spec|specs|fixtures)\//;

/**
 * Whether a file steers a runner, or is what tests use, but no test itself. Snapshots count where their test is protected.
 * @param own Further files that do, by the settings: names, or paths of files or folders.
 */
export function isSteering(path: string, isProtected: (path: string) => boolean, own: readonly string[] = []): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (own.some((one) => name === one || path === one || path.startsWith(`${one}/`))) return true;
  if (Object.values(steering).some((patterns) => patterns.some((pattern) => pattern.test(name)))) return true;
  if (name.endsWith('.snap')) return isProtected(path.replace(/__snapshots__\/(?=[^/]*$)/, '').replace(/\.snap$/, ''));
  return isOfTests(path) && !isKnownCheck(path);
}

/** Whether a file is in a folder of tests. */
export function isOfTests(path: string): boolean {
  return testFolder.test(path);
}

/** The parts of a `package.json` that steer runners. */
const steeringParts = ['scripts', 'jest', 'vitest', 'mocha', 'ava', 'tap', 'c8', 'nyc'];

/** A file that is not used where there is another one. */
export interface OverruledFile {
  path: string;
  /** What is in it if it is used otherwise. */
  has: RegExp;
  /** Only what both define is not used of it. */
  isPartly?: boolean;
}

const anything = /(?:)/;
/** Takes over what other files have, if they are there. */
const mayInclude = /^[ \t]*[-s]include[ \t]/m;
const ofPytest = [
  { other: 'pyproject.toml', has: /^\s*\[tool\.pytest/m },
  { other: 'tox.ini', has: /^\s*\[pytest\]/m },
  { other: 'setup.cfg', has: /^\s*\[tool:pytest\]/m },
];
const ofPackage = (part: string) => [{ other: 'package.json', has: new RegExp(`"${part}"\\s*:\\s*[{[]`) }];

/** By its name, which files beside it a file overrules. */
const overruling: Array<{ name: RegExp; others: Array<{ other: string; has: RegExp }> }> = [
  { name: /^GNUmakefile$/, others: ['makefile', 'Makefile'].map((other) => ({ other, has: anything })) },
  { name: /^makefile$/, others: [{ other: 'Makefile', has: anything }] },
  {
    name: /\.(mk|make|inc|env)$|^\.env$/,
    others: ['GNUmakefile', 'makefile', 'Makefile'].map((other) => ({ other, has: mayInclude })),
  },
  { name: /^\.?pytest\.ini$/, others: ofPytest },
  { name: /^tox\.ini$/, others: ofPytest.slice(2) },
  { name: /^jest\.config\.\w+$/, others: ofPackage('jest') },
  { name: /^\.mocharc(\.\w+)?$/, others: ofPackage('mocha') },
  { name: /^ava\.config\.\w+$/, others: ofPackage('ava') },
  { name: /^\.c8rc(\.\w+)?$/, others: ofPackage('c8') },
  { name: /^\.nycrc(\.\w+)?$/, others: ofPackage('nyc') },
];

const javascriptEnding = /\.(?:[cm]?[jt]sx?|json)$/;
const javascriptEndings = ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'json'];

/** Files that JavaScript imports by the same name, where the name has no ending. */
function modulesLike(path: string): string[] {
  if (!javascriptEnding.test(path) || !isOfTests(path)) return [];
  const stem = path.replace(javascriptEnding, '');
  return [stem, `${stem}/index`]
    .flatMap((one) => javascriptEndings.map((ending) => `${one}.${ending}`))
    .filter((one) => one !== path);
}

/** The files that a file overrules, if they exist: settings of the same runner, what a folder above provides for tests, and modules of the same name. */
export function overruledBy(path: string): OverruledFile[] {
  const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(path) ?? [];
  const [, module] = /^(.+)\/__init__\.py$|/.exec(path) ?? [];
  const [, compiled] = /^([\w-]+)(?:\.[\w-]+)?\.so$|/.exec(name) ?? [];
  const [, cached] = /^([\w-]+)\.[\w.-]+\.pyc$|/.exec(name) ?? [];
  const modules = [module, compiled && folder + compiled, cached && folder.replace(/__pycache__\/$/, '') + cached];
  const above = name === 'conftest.py' ? ['', ...foldersAbove(path).map((one) => `${one}/`)].slice(0, -1) : [];
  return [
    ...modules.flatMap((one) => (one ? [{ path: `${one}.py`, has: anything }] : [])),
    ...above.map((one) => ({ path: `${one}conftest.py`, has: anything, isPartly: true })),
    ...modulesLike(path).map((one) => ({ path: one, has: anything })),
    ...overruling.flatMap((one) =>
      one.name.test(name) ? one.others.map(({ other, has }) => ({ path: folder + other, has })) : [],
    ),
  ];
}

/**
 * A steering file that was changed or removed, as it was, as far as it steers: of a `package.json`, the new one with the former scripts and settings of
 * runners, and with the scripts that were added. Undefined for a makefile that had no target of those that the commands call.
 * @param now Undefined if it is no file any more.
 */
export function formerFile(
  path: string,
  { before, now, commands }: { before: string; now: string | undefined; commands: string[] },
): string | undefined {
  if (path.endsWith('package.json')) return now === undefined ? before : mergePackage(before, now);
  const targets = commands
    .flatMap(findScriptCalls)
    .flatMap(({ program, names, folder, isElsewhere }) =>
      program === 'make' && !isElsewhere && path.startsWith(folder) ? names : [],
    );
  const isMakefile = /(^|\/)(GNUmakefile|[Mm]akefile)$/.test(path);
  return isMakefile && targets.length > 0 && !mayHaveTargets(before, targets) ? undefined : before;
}

function mergePackage(before: string, now: string): string {
  const [former, present] = [before, now].map(parseObject);
  if (!former || !present) return before;
  const merged: Record<string, unknown> = { ...present };
  for (const part of steeringParts) {
    if (part === 'scripts') merged[part] = mergeScripts(asObject(present[part]), asObject(former[part]));
    else if (part in former) merged[part] = former[part];
    else delete merged[part];
  }
  const ofTests = Object.entries(asObject(former.imports)).filter(([, file]) => testFolder.test(JSON.stringify(file)));
  if (ofTests.length > 0) merged.imports = { ...asObject(present.imports), ...Object.fromEntries(ofTests) };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** The former scripts, and those that were added, unless npm runs them before or after a former one. */
function mergeScripts(present: Record<string, unknown>, former: Record<string, unknown>): Record<string, unknown> {
  const added = Object.entries(present).filter(([name]) => !(name.replace(/^(pre|post)/, '') in former));
  return { ...Object.fromEntries(added), ...former };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
