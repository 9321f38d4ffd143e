import { and, asc, eq } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { checkpoints } from '../schema/work.ts';
import { inPresentLineage } from './lineage.ts';
import type { ProjectTransaction } from './project-transaction.ts';

export type CheckpointRow = typeof checkpoints.$inferSelect;

export interface NewCheckpoint {
  /** Number of the session whose work it holds; 0 for the plan. */
  number: number;
  commit: string;
  title: string;
  sessionId?: string | undefined;
  featureId?: string | undefined;
  workflowId?: string | undefined;
  workflowRunId?: string | undefined;
}

/**
 * Adds a checkpoint at the end of the present lineage. Its id consists of the project's id and the session's number: `p/c3`, or `p/c0` for the plan.
 */
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
  await transaction.log({
    type: 'checkpoint.created',
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
 * Finds a checkpoint of the project, in any lineage, by its id, its short id (`c3`) or the start of its commit.
 * @throws {DatabaseError} `UnknownCheckpoint` if none or several match.
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
      (/^[0-9a-f]{4,64}$/.test(reference) && checkpoint.commit.startsWith(reference)),
  );
  const latest = fitting.at(-1);
  // After a revert, one commit may have two checkpoints; both hold the same tree, and the later one is meant.
  if (latest && fitting.every((checkpoint) => checkpoint.commit === latest.commit)) return latest;
  const known = all.map(
    (checkpoint) => `${checkpoint.id.slice(projectId.length + 1)} (${checkpoint.commit.slice(0, 8)})`,
  );
  throw new DatabaseError(
    'UnknownCheckpoint',
    `"${reference}" is ${fitting.length ? 'the start of several checkpoints' : 'not a checkpoint'} of "${projectId}". Its checkpoints: ${known.join(', ') || 'none yet'}.`,
  );
}
