import type { Database } from '../../db/connection/database.ts';
import { readCheckpoints, resolveCheckpoint } from '../../db/project/checkpoints.ts';
import { findLineage } from '../../db/project/lineage.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import type { Revert } from '../../domain/project/messages.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { isMovedOn } from './revert.ts';

/** The revert that began the project's present lineage, if the branch has not followed it and nothing has passed since. A person may have committed meanwhile. */
export async function findUnfinishedRevert(
  database: Database,
  repository: ProjectRepository,
  { id, lineageId }: ProjectRow,
): Promise<Revert | undefined> {
  const { keptRef, checkpointId, reason } = (await findLineage(database, lineageId)) ?? {};
  if (!keptRef || !checkpointId) return undefined;
  const target = await resolveCheckpoint(database, id, checkpointId);
  const [head, left] = [await repository.head(), await repository.resolve(keptRef)];
  if (!head || !left || head === target.commit || !(await repository.isAncestor(left, head))) return undefined;
  if (await isMovedOn(repository, target.commit, left)) return undefined;
  const checkpoints = await readCheckpoints(database, id);
  if (checkpoints.some((one) => one.lineageId === lineageId)) return undefined;
  const request = { checkpoint: checkpointId.slice(id.length + 1), ...(reason && { reason }) };
  return { revertId: lineageId.slice(id.length + 1), request };
}
