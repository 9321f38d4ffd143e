import { and, count, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { ChangeCount, ConsolidationStatus, CountedConsolidation } from '../../domain/memory/consolidation.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { consolidations, memoryChanges } from '../schema/consolidations.ts';

export type ConsolidationRow = typeof consolidations.$inferSelect;

/** Milliseconds by which consolidations overlap: clocks differ, and a memory may be written some time after its `createdAt`. */
const slackMs = 60 * 60_000;

export interface NewConsolidation {
  id: string;
  projectId?: string | undefined;
  dryRun: boolean;
  /** Considers only what was created since the last completed one. */
  onlyNew: boolean;
  workflowId: string;
  workflowRunId: string;
}

/** Begins a consolidation, or returns the one that an earlier attempt began. */
export async function beginConsolidation(query: Queryable, input: NewConsolidation): Promise<ConsolidationRow> {
  const { onlyNew, projectId = null, ...row } = input;
  const last = onlyNew ? await findLast(query, projectId) : undefined;
  const since = last ? new Date(last.createdAt.getTime() - slackMs) : null;
  await query
    .insert(consolidations)
    .values({ ...row, projectId, since })
    .onConflictDoNothing();
  return expectConsolidation(query, input.id);
}

/** The last completed consolidation that covered everything this one would. */
async function findLast(query: Queryable, projectId: string | null): Promise<ConsolidationRow | undefined> {
  const same = projectId === null ? undefined : eq(consolidations.projectId, projectId);
  const [row] = await query
    .select()
    .from(consolidations)
    .where(
      and(
        eq(consolidations.status, 'completed'),
        eq(consolidations.dryRun, false),
        or(isNull(consolidations.projectId), same),
      ),
    )
    .orderBy(desc(consolidations.createdAt))
    .limit(1);
  return row;
}

export async function endConsolidation(
  query: Queryable,
  input: { id: string; status: ConsolidationStatus; looked: number; remark?: string | undefined },
): Promise<void> {
  const { id, status, looked, remark = null } = input;
  await query
    .update(consolidations)
    .set({ status, looked, remark, endedAt: sql`coalesce(${consolidations.endedAt}, now())` })
    .where(eq(consolidations.id, id));
}

/** Marks a consolidation whose workflow is gone as failed, unless it has ended meanwhile. */
export async function endAbandoned(query: Queryable, id: string, remark: string): Promise<void> {
  await query
    .update(consolidations)
    .set({ status: 'failed', remark, endedAt: sql`now()` })
    .where(and(eq(consolidations.id, id), eq(consolidations.status, 'running')));
}

/** @throws {DatabaseError} `UnknownConsolidation` */
export async function expectConsolidation(query: Queryable, id: string): Promise<ConsolidationRow> {
  const row = await findConsolidation(query, id);
  if (row) return row;
  throw new DatabaseError(
    'UnknownConsolidation',
    `Expected the id of a consolidation, got "${id}". \`longhaul memory consolidations list\` shows them.`,
  );
}

export async function findConsolidation(query: Queryable, id: string): Promise<ConsolidationRow | undefined> {
  const [row] = await query.select().from(consolidations).where(eq(consolidations.id, id));
  return row;
}

export async function countChanges(query: Queryable, ids: string[]): Promise<Array<ChangeCount & { id: string }>> {
  if (!ids.length) return [];
  return query
    .select({
      id: memoryChanges.consolidationId,
      kind: memoryChanges.kind,
      status: memoryChanges.status,
      count: count(),
    })
    .from(memoryChanges)
    .where(inArray(memoryChanges.consolidationId, ids))
    .groupBy(memoryChanges.consolidationId, memoryChanges.kind, memoryChanges.status);
}

/** Newest first. */
export async function listConsolidations(query: Queryable, limit: number): Promise<CountedConsolidation[]> {
  const rows = await query.select().from(consolidations).orderBy(desc(consolidations.createdAt)).limit(limit);
  const counts = await countChanges(
    query,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...row,
    changes: counts.filter(({ id }) => id === row.id).map(({ id: _, ...rest }) => rest),
  }));
}
