import { changeChecks, type FeatureState, readFeatures } from '../../db/project/features.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import type { ProposedChecks } from '../../domain/project/proposal.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import type { SessionName } from './session-commit.ts';

/**
 * The activity `applyChecks`: commits the check files that a session's agent wrote, in a commit of their own, and replaces the feature's verification. A
 * repetition finds both done.
 */
export function createApplyChecks({ database, openRepository }: Pick<Dependencies, 'database' | 'openRepository'>) {
  return async ({ projectId, sessionId }: SessionName): Promise<void> => {
    const session = await readSession(database, sessionId);
    const checks = session.proposedChecks;
    if (!checks) throw new Error(`Expected checks of the session ${sessionId}.`);
    const { folder, branch } = await readProject(database, projectId);
    const features = await readFeatures(database, projectId);
    const feature = features.find(({ id }) => id === session.featureId);
    if (!feature) throw new Error(`Expected the feature ${session.featureId} among those of ${projectId}.`);
    if (checks.files.length) await commitChecks(await openRepository(folder, branch), { feature, checks, sessionId });
    const { steps, sealed, files } = checks;
    const protectedPaths = [...files.map(({ path }) => path), ...checks.protected];
    await inProject(database, projectId, (transaction) =>
      changeChecks(transaction, feature.name, { steps, sealed, protectedPaths }, { by: sessionId }),
    );
  };
}

async function commitChecks(
  repository: ProjectRepository,
  { feature, checks, sessionId }: { feature: FeatureState; checks: ProposedChecks; sessionId: string },
): Promise<void> {
  const ref = `refs/longhaul/checks/${sessionId}`;
  const kept = await repository.resolve(ref);
  const parent = kept && (await repository.resolve(`${kept}^`));
  const found = await repository.head();
  // First completes a move that was begun: its files would otherwise be taken for a person's changes.
  if (kept && found === kept) await repository.moveBranch(parent, kept);
  const { head } = await repository.commitPersonChanges();
  if (kept && (await repository.isAncestor(kept, head))) return;
  const files = checks.files.map(({ path, content, executable }) => ({
    path,
    content,
    executable: executable ?? content.startsWith('#!'),
  }));
  const commit = await repository.commit({
    tree: await repository.writeTree(files, await repository.treeOf(head)),
    parents: [head],
    message: `Checks of ${feature.name}`,
    trailers: { 'Longhaul-Feature': feature.name, 'Longhaul-Session': sessionId },
  });
  await repository.keep(ref, commit, kept ? { replacing: kept } : {});
  await repository.moveBranch(head, commit);
}
