import { changeChecks, featureOf, readFeatures } from '../../db/project/features.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import type { Dependencies } from '../dependencies.ts';
import { toTreeFile } from '../project/plan-files.ts';
import { putOnBranch } from '../project/put-on-branch.ts';
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
    const { name, verification } = featureOf(await readFeatures(database, projectId), session);
    const { steps, sealed, files } = checks;
    if (files.length) {
      const repository = await openRepository(folder, branch);
      await putOnBranch(repository, `refs/longhaul/checks/${sessionId}`, async (head) =>
        repository.commit({
          tree: await repository.writeTree(files.map(toTreeFile), head && (await repository.treeOf(head))),
          parents: head ? [head] : [],
          message: `Checks of ${name}`,
          trailers: { 'Longhaul-Feature': name, 'Longhaul-Session': sessionId },
        }),
      );
    }
    const protectedPaths = [...files.map(({ path }) => path), ...checks.protected];
    await inProject(database, projectId, (transaction) =>
      changeChecks(transaction, name, { ...verification, steps, sealed, protectedPaths }, { by: sessionId }),
    );
  };
}
