import { readCheckpoints, resolveCheckpoint } from '../db/checkpoints.ts';
import type { Database } from '../db/database.ts';
import { findLineage } from '../db/lineage.ts';
import type { ProjectRow } from '../db/project-transaction.ts';
import type { ProjectRepository } from '../git/project-repository.ts';
import type { Revert } from '../workflows/messages.ts';

/** The revert that began the project's present lineage, if the branch is still at the commit to be left and nothing has passed since. */
export async function findUnfinishedRevert(
  database: Database,
  repository: Pick<ProjectRepository, 'head' | 'resolve'>,
  { id, lineageId }: ProjectRow,
): Promise<Revert | undefined> {
  const { keptRef, checkpointId, reason } = (await findLineage(database, lineageId)) ?? {};
  if (!keptRef || !checkpointId) return undefined;
  const target = await resolveCheckpoint(database, id, checkpointId);
  const head = await repository.head();
  if (head === target.commit || head !== (await repository.resolve(keptRef))) return undefined;
  const checkpoints = await readCheckpoints(database, id);
  if (checkpoints.some((one) => one.lineageId === lineageId)) return undefined;
  const request = { checkpoint: checkpointId.slice(id.length + 1), ...(reason && { reason }) };
  return { revertId: lineageId.slice(id.length + 1), request };
}
