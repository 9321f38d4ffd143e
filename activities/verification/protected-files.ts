import type { FeatureState } from '../../db/features/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { preview } from '../../domain/storable-text.ts';
import { findUnlocked, isLockFile } from '../../domain/verification/lock-files.ts';
import type { ChangedFile, ProjectRepository } from '../../git/repository/project-repository.ts';
import { setUpScript } from '../sandbox/prepare-sandbox.ts';
import type { PlainCommand } from './prepared-commit.ts';
import { quoteForBash } from './quote-for-bash.ts';

/** Changes of a session's commit that do not pass, whatever the steps say: a failed step that says why. */
export async function refuseChanges({
  repository,
  features,
  feature,
  commit,
  changed,
}: {
  repository: ProjectRepository;
  features: Array<Pick<FeatureState, 'verification'>>;
  /** The session's. */
  feature: Pick<FeatureState, 'verification'>;
  commit: string;
  /** What the commit changed. */
  changed: ChangedFile[];
}): Promise<StepResult | undefined> {
  const { allowed = [] } = feature.verification;
  const paths = protectedPathsOf(features).filter((path) => path !== setUpScript || !allowed.includes(path));
  const touched = changed.flatMap(({ path, previousPath }) => (previousPath ? [path, previousPath] : [path]));
  const changedProtected = touched.filter((path) => isProtected(path, paths));
  if (changedProtected.length > 0) return refuseProtected(changedProtected);
  const changedLocks = changed.filter(
    ({ path, change }) => change !== 'added' && isLockFile(path) && !allowed.includes(path),
  );
  for (const { path, previousPath = path } of changedLocks) {
    const before = await repository.readText(`${commit}^`, previousPath);
    const now = await repository.readText(commit, path);
    const unlocked = findUnlocked(before ?? '', now ?? '');
    if (unlocked.length > 0) return refuseLock(path, unlocked);
  }
  return undefined;
}

/** How a session gets such a change accepted. */
const howToChange = 'If the work needs the change, end with request_change, and a person decides.';

function refuseProtected(paths: string[]): StepResult {
  return refusal({
    description: 'Protected files are unchanged',
    paths,
    output: `The session changed protected files: ${paths.join(', ')}. They decide whether work passes, so a session must not change them.${paths.includes(setUpScript) ? ` ${howToChange}` : ''}`,
  });
}

function refuseLock(path: string, unlocked: string[]): StepResult {
  return refusal({
    description: 'Locked packages are as before',
    paths: [path],
    output: `The session changed packages that ${path} locks: ${preview(unlocked.join(', '), 300)}. What the verification runs in is installed from it, so a session may only add packages. ${howToChange}`,
  });
}

function refusal({ description, paths, output }: { description: string; paths: string[]; output: string }): StepResult {
  return {
    description,
    command: `git diff --name-only -- ${paths.join(' ')}`,
    passed: false,
    outcome: 'exited',
    exitCode: 1,
    output,
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
