import type { FeatureState } from '../../db/project/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { runHarnessCommand } from '../sandbox/harness-command.ts';

/** The files at or below protected paths that a commit changed, added or removed. */
export async function changedProtectedFiles(
  repository: ProjectRepository,
  features: FeatureState[],
  commit: string,
): Promise<string[]> {
  const changed = await repository.changedFiles(`${commit}^`, commit);
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
    output: `The session changed protected files: ${paths.join(', ')}. They contain the verification and must not change.`,
    durationMs: 0,
  };
}

/**
 * Checks that a sandbox has the protected files as in the commit, and no other files in protected folders: an extra file may be what runs the others.
 */
export async function checkProtectedFiles(
  {
    repository,
    features,
    sandbox,
    commit,
  }: { repository: ProjectRepository; features: FeatureState[]; sandbox: Sandbox; commit: string },
  signals: ActivitySignals,
): Promise<StepResult> {
  const paths = protectedPathsOf(features);
  const files = await repository.listFiles(commit);
  const folders = paths.filter((one) => files.some((path) => isBelow(path, one)));
  const inFolders = files.filter((path) => folders.some((one) => isBelow(path, one)));
  const sums = [
    ...(await repository.checkedOutSums(
      commit,
      files.filter((path) => isProtected(path, paths)),
    )),
  ];
  const description = 'The set-up script does not change protected files';
  // By absolute path: a program of this name in the agent's own folders would take precedence.
  const command = '/usr/bin/sha256sum --check --quiet --strict -';
  const check = (id: string, script: string, input: string) =>
    runHarnessCommand(sandbox, { id, description, command: script, timeoutMs: 60_000, input }, signals);
  const same: StepResult = sums.length
    ? await check('protected-files', command, sums.map(sumLine).join(''))
    : { description, command, passed: true, outcome: 'exited', exitCode: 0, output: '', durationMs: 0 };
  if (!same.passed || !folders.length) return same;
  return check('protected-folders', listOthers(folders), inFolders.map((path) => `./${path}\0`).join(''));
}

function protectedPathsOf(features: FeatureState[]): string[] {
  return [...new Set(features.flatMap((feature) => feature.verification.protectedPaths))];
}

function isProtected(path: string, paths: readonly string[]): boolean {
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

/** A script that fails and prints the files in the folders that are missing from its input: NUL-separated paths in byte order, as git lists them. */
function listOthers(folders: string[]): string {
  const places = folders.map((folder) => `'./${folder.replaceAll("'", "'\\''")}/'`).join(' ');
  return [
    'set -o pipefail',
    'export LC_ALL=C',
    `found() { /usr/bin/find ${places} ! -type d -print0 | /usr/bin/sort -zu; }`,
    "others=$(/usr/bin/comm -z -23 <(found) - | /usr/bin/tr '\\0' '\\n') || exit",
    '[ -z "$others" ] || { echo "The set-up script created files in protected folders, which must not change:"; echo "$others"; exit 1; }',
  ].join('\n');
}
