import type { Queryable } from '../../db/connection/database.ts';
import { changeChecks, featureOf, readFeatures } from '../../db/features/features.ts';
import { hashJson } from '../../db/project/evidence-chain.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import { findVerification, verificationId } from '../../db/project/verifications.ts';
import type { ProposedChecks } from '../../domain/project/proposal.ts';
import type { FeatureVerification } from '../../domain/project/settings.ts';
import type { Dependencies } from '../dependencies.ts';
import { toTreeFile } from '../project/plan-files.ts';
import { putOnBranch } from '../project/put-on-branch.ts';
import type { SessionName } from './session-commit.ts';

/**
 * The activity `applyChecks`: commits the check files that a session's agent wrote, in a commit of their own, and replaces the feature's verification, or
 * adds to it if the session's work has passed by it. A repetition finds both done.
 */
export function createApplyChecks({ database, openRepository }: Pick<Dependencies, 'database' | 'openRepository'>) {
  return async ({ projectId, sessionId }: SessionName): Promise<void> => {
    const session = await readSession(database, sessionId);
    const checks = session.proposedChecks;
    if (!checks) throw new Error(`Expected checks of the session ${sessionId}.`);
    const { folder, branch } = await readProject(database, projectId);
    const { name, verification } = featureOf(await readFeatures(database, projectId), session);
    const { files } = checks;
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
    const changed = (await isJudged(database, session)) ? add(verification, checks) : replace(verification, checks);
    await inProject(database, projectId, (transaction) => changeChecks(transaction, name, changed, { by: sessionId }));
  };
}

/** Whether the session's work has been verified: its agent adds to the checks then. */
export async function isJudged(query: Queryable, { id }: { id: string }): Promise<boolean> {
  return (await findVerification(query, verificationId({ sessionId: id, landing: 1 }))) !== undefined;
}

function replace(
  present: FeatureVerification,
  { steps, sealed, files, ...checks }: ProposedChecks,
): FeatureVerification {
  return { ...present, steps, sealed, protectedPaths: [...files.map(({ path }) => path), ...checks.protected] };
}

function add(present: FeatureVerification, proposed: ProposedChecks): FeatureVerification {
  const { steps, sealed, protectedPaths } = replace(present, proposed);
  return {
    ...present,
    steps: join(present.steps, steps),
    sealed: join(present.sealed, sealed),
    protectedPaths: join(present.protectedPaths, protectedPaths),
  };
}

/** Without those that are there already. */
function join<Item>(present: Item[], added: Item[]): Item[] {
  const found = new Set(present.map(hashJson));
  return [...present, ...added.filter((one) => !found.has(hashJson(one)))];
}
