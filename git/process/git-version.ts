import { gitErrors } from '../errors.ts';
import { spawnGit } from './run-git.ts';

/** The first version with `git merge-tree --write-tree`. */
const neededVersion = [2, 38] as const;

/** Values of PATH whose git is new enough; each is checked once per process. */
const found = new Set<string | undefined>();

/** @throws {GitTooOldError | GitNotFoundError} if the git on PATH is unusable. */
export async function requireGitVersion(folder: string, environment: Record<string, string>): Promise<void> {
  if (found.has(environment.PATH)) return;
  await refuseOldGit(folder, environment);
  found.add(environment.PATH);
}

async function refuseOldGit(folder: string, environment: Record<string, string>): Promise<void> {
  const { stdout } = await spawnGit(['version'], { folder, environment });
  const text = stdout.toString('utf8').trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const [neededMajor, neededMinor] = neededVersion;
  if (Number(major) > neededMajor || (Number(major) === neededMajor && Number(minor) >= neededMinor)) return;
  throw gitErrors.gitTooOld(text.replace('git version ', '') || 'an unknown version', neededVersion.join('.'));
}
