import { eq } from 'drizzle-orm';
import type { Database, Queryable } from '../connection/database.ts';
import { changeFeature, readFeatures, settleFeatures } from '../features/features.ts';
import { withdrawRequests } from '../requests/requests.ts';
import { projects } from '../schema/projects.ts';
import { resolveCheckpoint } from './checkpoints.ts';
import { continueLineage, findLineage } from './lineage.ts';
import { addProgress } from './progress.ts';
import { inProject } from './project-transaction.ts';

export interface Revert {
  /** The new lineage's id, chosen by the caller, so that a retry begins no second one. */
  lineageId: string;
  projectId: string;
  checkpoint: string;
  /** The ref that preserves the head that is left behind. */
  keptRef: string;
  reason?: string | undefined;
}

/** Begins a lineage that continues the checkpoint's lineage up to the checkpoint. Returns the checkpoint's id and commit. */
export async function revertProject(
  database: Database,
  revert: Revert,
): Promise<{ checkpointId: string; commit: string }> {
  return inProject(database, revert.projectId, async (transaction) => {
    const { query, project } = transaction;
    const checkpoint = await resolveCheckpoint(query, project.id, revert.checkpoint);
    if (await isReverted(query, revert.lineageId)) return { checkpointId: checkpoint.id, commit: checkpoint.commit };
    await continueLineage(query, {
      id: revert.lineageId,
      projectId: project.id,
      parentId: checkpoint.lineageId,
      parentSequence: checkpoint.sequence,
      checkpointId: checkpoint.id,
      keptRef: revert.keptRef,
      reason: revert.reason ?? null,
    });
    await query.update(projects).set({ lineageId: revert.lineageId }).where(eq(projects.id, project.id));
    for (const feature of await readFeatures(query, project.id)) {
      if (feature.status !== 'IN_PROGRESS') continue;
      await changeFeature(transaction, feature, { status: 'INTERRUPTED', reason: 'Its session ended with a revert.' });
    }
    await settleFeatures(transaction);
    await withdrawRequests(query, { projectId: project.id });
    await addProgress(transaction, {
      id: revert.lineageId,
      action: 'revert',
      outcome: `Reverted to ${checkpoint.id} "${checkpoint.title}"${revert.reason ? `: ${revert.reason}` : ''}. The previous state is at ${revert.keptRef}.`,
      commit: checkpoint.commit,
    });
    await transaction.log({
      type: 'project.reverted',
      checkpoint: checkpoint.id,
      commit: checkpoint.commit,
      keptRef: revert.keptRef,
      reason: revert.reason,
    });
    return { checkpointId: checkpoint.id, commit: checkpoint.commit };
  });
}

/** Whether a revert has already begun this lineage. */
export async function isReverted(query: Queryable, lineageId: string): Promise<boolean> {
  return (await findLineage(query, lineageId)) !== undefined;
}
