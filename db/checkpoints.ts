import { and, asc, eq } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { UnknownCheckpointError } from './errors.ts';
import { inPresentLineage } from './lineage.ts';
import type { ProjectTransaction } from './project-transaction.ts';
import { checkpoints } from './schema/work.ts';

export type CheckpointRow = typeof checkpoints.$inferSelect;

export interface NewCheckpoint {
  /** Of the session whose work it holds; 0 for the plan. */
  number: number;
  commit: string;
  title: string;
  sessionId?: string | undefined;
  featureId?: string | undefined;
  workflowId?: string | undefined;
  workflowRunId?: string | undefined;
}

/** Adds a checkpoint at the present end of the lineage; its id is the project's and its session's number: `p/c3`, the plan's `p/c0`. */
export async function addCheckpoint(
  transaction: ProjectTransaction,
  checkpoint: NewCheckpoint,
): Promise<CheckpointRow> {
  const { project, query } = transaction;
  const [row] = await query
    .insert(checkpoints)
    .values({
      id: `${project.id}/c${checkpoint.number}`,
      projectId: project.id,
      ...(await transaction.nextInLineage()),
      commit: checkpoint.commit,
      title: checkpoint.title,
      sessionId: checkpoint.sessionId ?? null,
      featureId: checkpoint.featureId ?? null,
      workflowId: checkpoint.workflowId ?? null,
      workflowRunId: checkpoint.workflowRunId ?? null,
    })
    .returning();
  if (!row) throw new Error(`Postgres returned no row for the checkpoint at ${checkpoint.commit}.`);
  await transaction.tell({
    type: 'checkpoint-created',
    checkpoint: row.id,
    commit: checkpoint.commit,
    title: checkpoint.title,
  });
  return row;
}

/** Oldest first: those of the present lineage, or with `all` of every lineage. */
export async function readCheckpoints(
  query: Queryable,
  projectId: string,
  options: { all?: boolean } = {},
): Promise<CheckpointRow[]> {
  const ofProject = eq(checkpoints.projectId, projectId);
  return query
    .select()
    .from(checkpoints)
    .where(options.all ? ofProject : and(ofProject, inPresentLineage(checkpoints)))
    .orderBy(asc(checkpoints.sequence));
}

/**
 * Finds a checkpoint of the project, of any lineage, by its id, its short id (`c3`) or the start of its commit.
 * @throws {UnknownCheckpointError} where none or several fit.
 */
export async function resolveCheckpoint(
  query: Queryable,
  projectId: string,
  reference: string,
): Promise<CheckpointRow> {
  const all = await readCheckpoints(query, projectId, { all: true });
  const fitting = all.filter(
    (checkpoint) =>
      checkpoint.id === reference ||
      checkpoint.id === `${projectId}/${reference}` ||
      (/^[0-9a-f]{4,40}$/.test(reference) && checkpoint.commit.startsWith(reference)),
  );
  const latest = fitting.at(-1);
  // The same commit may be a checkpoint twice after a revert; both mean the same tree, the later is the one meant.
  if (latest && fitting.every((checkpoint) => checkpoint.commit === latest.commit)) return latest;
  const known = all.map(
    (checkpoint) => `${checkpoint.id.slice(projectId.length + 1)} (${checkpoint.commit.slice(0, 8)})`,
  );
  throw new UnknownCheckpointError(
    `"${reference}" is ${fitting.length ? 'the start of several checkpoints' : 'not a checkpoint'} of "${projectId}". Its checkpoints: ${known.join(', ') || 'none yet'}.`,
  );
}
