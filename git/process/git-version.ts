import { gitErrors } from '../error-messages.ts';
import { spawnGit } from './run-git.ts';

/** The first version with `git merge-tree --write-tree`. */
const neededVersion = [2, 38] as const;

/** @throws {GitError} GitTooOld or GitNotFound if the git on PATH is unusable. */
export async function requireGitVersion(folder: string, environment: Record<string, string>): Promise<void> {
  const { stdout } = await spawnGit(['version'], { folder, environment });
  const text = stdout.toString('utf8').trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const [neededMajor, neededMinor] = neededVersion;
  if (Number(major) > neededMajor || (Number(major) === neededMajor && Number(minor) >= neededMinor)) return;
  throw gitErrors.gitTooOld(text.replace('git version ', '') || 'an unknown version', neededVersion.join('.'));
}
