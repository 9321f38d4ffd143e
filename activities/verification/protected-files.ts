import type { FeatureState } from '../../db/project/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { ChangedFile, ProjectRepository } from '../../git/repository/project-repository.ts';
import { setUpScript } from '../sandbox/prepare-sandbox.ts';
import type { PlainCommand } from './prepared-commit.ts';
import { quoteForBash } from './quote-for-bash.ts';

/** The files at or below protected paths that are among those changed, added or removed. */
export function changedProtectedFiles(
  changed: ChangedFile[],
  features: Array<Pick<FeatureState, 'verification'>>,
): string[] {
  const paths = protectedPathsOf(features);
  const touched = changed.flatMap(({ path, previousPath }) => (previousPath ? [path, previousPath] : [path]));
  return touched.filter((path) => isProtected(path, paths));
}

/** The failed step recorded for a commit that changed protected files. */
export function refuseProtected(paths: string[]): StepResult {
  return {
    description: 'Protected files are unchanged',
    command: `git diff --name-only -- ${paths.join(' ')}`,
    passed: false,
    outcome: 'exited',
    exitCode: 1,
    output: `The session changed protected files: ${paths.join(', ')}. They decide whether work passes, so a session must not change them.${paths.includes(setUpScript) ? ` A person can change ${setUpScript} in the project's folder.` : ''}`,
    durationMs: 0,
  };
}

/**
 * The command that checks that the set-up left the protected files as in the commit, and no other files in protected folders: an extra file may be what
 * runs the others.
 */
export async function protectedFilesCheck({
  repository,
  features,
  commit,
}: {
  repository: ProjectRepository;
  features: Array<Pick<FeatureState, 'verification'>>;
  commit: string;
}): Promise<PlainCommand> {
  const paths = protectedPathsOf(features);
  const files = await repository.listFiles(commit);
  const folders = paths.filter((one) => files.some((path) => isBelow(path, one)));
  const inFolders = files.filter((path) => folders.some((one) => isBelow(path, one)));
  const sums = await repository.checkedOutSums(
    commit,
    files.filter((path) => isProtected(path, paths)),
  );
  const lines = [...sums].map(sumLine).join('');
  return {
    description: 'The set-up script does not change protected files',
    command: checkFiles(Buffer.byteLength(lines), folders),
    timeoutMs: 60_000,
    input: lines + inFolders.map((path) => `./${path}\0`).join(''),
  };
}

/** The set-up script prepares what the verification runs in. */
function protectedPathsOf(features: Array<Pick<FeatureState, 'verification'>>): string[] {
  return [...new Set([setUpScript, ...features.flatMap((feature) => feature.verification.protectedPaths)])];
}

export function isProtected(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => path === one || isBelow(path, one));
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** A line as `sha256sum` writes it, which escapes backslashes and newlines in names. */
function sumLine([path, sum]: [path: string, sum: string]): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return `${escaped === path ? '' : '\\'}${sum}  ${escaped}\n`;
}

/**
 * A script that fails and prints the files that are not as they should be. Its input are the sums of protected files, of so many bytes, then the files
 * of the folders: NUL-separated paths in byte order, as git lists them. Programs have absolute paths, since others may take precedence.
 */
function checkFiles(sumBytes: number, folders: string[]): string {
  const places = folders.map((folder) => quoteForBash(`./${folder}/`)).join(' ');
  return [
    'set -o pipefail',
    'export LC_ALL=C',
    ...(sumBytes ? [`/usr/bin/head -c ${sumBytes} | /usr/bin/sha256sum --check --quiet --strict - || exit`] : []),
    ...(folders.length ? listOthers(places) : []),
  ].join('\n');
}

function listOthers(places: string): string[] {
  return [
    `found() { /usr/bin/find ${places} ! -type d -print0 | /usr/bin/sort -zu; }`,
    "others=$(/usr/bin/comm -z -23 <(found) - | /usr/bin/tr '\\0' '\\n') || exit",
    '[ -z "$others" ] || { echo "The set-up script created files in protected folders, which must not change:"; echo "$others"; exit 1; }',
  ];
}
