import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { commitPresent } from './plan-files.ts';

/**
 * Puts a commit of the harness on the branch, kept under a ref: that of an earlier attempt if the branch contains it or can take it, else a new one on
 * top of what a person has committed since.
 * @param make Commits on top of the head, which is undefined in an empty repository.
 */
export async function putOnBranch(
  repository: ProjectRepository,
  ref: string,
  make: (head: string | undefined) => Promise<string>,
): Promise<string> {
  const kept = await repository.resolve(ref);
  const parent = kept && (await repository.resolve(`${kept}^`));
  const found = await repository.head();
  // First completes a move that was begun: its files would otherwise be taken for a person's changes.
  if (kept && found === kept) await repository.moveBranch(parent, kept);
  const head = await commitPresent(repository);
  if (kept && head && (await repository.isAncestor(kept, head))) return kept;
  const commit = kept && parent === head ? kept : await make(head);
  if (commit !== kept) await repository.keep(ref, commit, kept ? { replacing: kept } : {});
  await repository.moveBranch(head, commit);
  return commit;
}
