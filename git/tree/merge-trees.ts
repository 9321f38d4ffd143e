import { rm } from 'node:fs/promises';
import type { Git } from '../process/run-git.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { createCommit } from './create-commit.ts';

/**
 * Merges the work of `ours` since `base` onto `onto`; see `ProjectRepository.mergeTrees`. `git merge-tree` takes the base from history (it can be
 * named only since git 2.40), so three commits are created that have exactly this history.
 */
export async function mergeTrees(
  git: Git,
  input: { base: string; ours: string; onto: string },
): Promise<{ tree: string } | { conflicts: string[] }> {
  const base = await stand(git, input.base, []);
  const [ours, onto] = [await stand(git, input.ours, [base]), await stand(git, input.onto, [base])];
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', onto, ours];
  // Git writes the input of a merge driver into its working directory, which must not be the person's.
  const cwd = await makeTemporaryFolder('merge');
  try {
    const result = await git.run(args, { exitCodes: [1], cwd });
    const [tree = '', ...conflicts] = result.stdout.toString('utf8').split('\0');
    if (result.exitCode === 0) return { tree };
    return { conflicts: [...new Set(conflicts.filter((path) => path !== ''))] };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

async function stand(git: Git, revision: string, parents: string[]): Promise<string> {
  const tree = await git.text(['rev-parse', '--verify', '--end-of-options', `${revision}^{tree}`]);
  return createCommit(git, { tree, parents, message: 'merge', trailers: {}, date: '1970-01-01T00:00:00Z' });
}
