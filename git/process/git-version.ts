import { gitErrors } from '../error-messages.ts';
import { spawnGit } from './run-git.ts';

/** The first version with `git merge-tree --write-tree`. */
const neededVersion = [2, 38] as const;

/** The PATHs whose git is new enough: asked once, since repositories are opened many times. */
const usable = new Set<string | undefined>();

/** @throws {GitError} GitTooOld or GitNotFound if the git on PATH is unusable. */
export async function requireGitVersion(folder: string, environment: Record<string, string>): Promise<void> {
  if (usable.has(environment.PATH)) return;
  const { stdout } = await spawnGit(['version'], { folder, environment });
  const text = stdout.toString('utf8').trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const [neededMajor, neededMinor] = neededVersion;
  const isUsable = Number(major) > neededMajor || (Number(major) === neededMajor && Number(minor) >= neededMinor);
  if (!isUsable)
    throw gitErrors.gitTooOld(text.replace('git version ', '') || 'an unknown version', neededVersion.join('.'));
  usable.add(environment.PATH);
}
