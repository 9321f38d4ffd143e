import { isKnownCheck } from './spoil/spoil-check.ts';

/**
 * Files that steer what runs the checks, by ecosystem. A session may change them, but what existed before must do for its feature as well: its steps also
 * run with these files as they were.
 */
const steering: Record<string, RegExp[]> = {
  python: [
    /^(conftest|sitecustomize|usercustomize)\.py$/,
    /^(pytest|tox|mypy)\.ini$/,
    /^(setup\.cfg|pyproject\.toml)$/,
    /\.pth$/,
  ],
  javascript: [
    /^package\.json$/,
    /^(jest|vitest|playwright|ava|karma|cypress|web-test-runner)\.config\.\w+$/,
    /^\.(mocharc|npmrc|taprc|c8rc|nycrc)(\.\w+)?$/,
  ],
  make: [/^(GNUmakefile|[Mm]akefile)$/, /\.mk$/],
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

/**
 * A changed steering file as it was, as far as it steers: of a `package.json`, the new one with the former scripts and settings of runners, and with the
 * scripts that were added. Undefined for a makefile that had no target of those that the commands call.
 */
export function formerFile(
  path: string,
  { before, now, commands }: { before: string; now: string; commands: string[] },
): string | undefined {
  if (path.endsWith('package.json')) return mergePackage(before, now);
  const targets = commands.flatMap((command) =>
    [...command.matchAll(/(?<![\w./-])make\s+([\w-]+)/g)].map(([, target = '']) => target),
  );
  const isMakefile = /(^|\/)(GNUmakefile|[Mm]akefile)$/.test(path);
  if (isMakefile && !targets.every((target) => new RegExp(`^${target}\\s*:`, 'm').test(before))) return undefined;
  return before;
}

function mergePackage(before: string, now: string): string {
  const [former, present] = [before, now].map(parseObject);
  if (!former || !present) return before;
  const merged: Record<string, unknown> = { ...present };
  for (const part of steeringParts) {
    if (part === 'scripts') merged[part] = { ...asObject(present[part]), ...asObject(former[part]) };
    else if (part in former) merged[part] = former[part];
    else delete merged[part];
  }
  return `${JSON.stringify(merged, null, 2)}\n`;
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
