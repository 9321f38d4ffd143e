import { createHash } from 'node:crypto';
import { and, arrayOverlaps, asc, eq, inArray, sql } from 'drizzle-orm';
import type { MemoryChangeStatus } from '../../domain/memory/consolidation.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import type { Repeat } from '../memory/consolidation/find-repeats.ts';
import { memoryChanges } from '../schema/consolidations.ts';
import { type ConsolidationRow, findConsolidation } from './consolidations.ts';

export type MemoryChangeRow = typeof memoryChanges.$inferSelect;

/** Derives a change's id from what it is about, so that whoever finds the same change again gets the same id. */
export function changeIdOf(kind: 'merge' | 'summary', about: readonly string[]): string {
  const hash = createHash('sha256').update(about.join('\0')).digest('hex');
  return `${kind}-${hash.slice(0, 16)}`;
}

/** Covers the texts too, so that a changed text makes it a different merge. */
export function mergeIdOf(memory: Repeat['memory'], by: Repeat['by']): string {
  return changeIdOf('merge', [memory.id, by.id, memory.text, by.text]);
}

/**
 * Records which memories are to replace others, before that is done; in a dry run, as proposals. What a person has undone or rejected stays so.
 * Returns the changes to be made.
 */
export async function writeMerges(
  query: Queryable,
  { id: consolidationId, dryRun }: Pick<ConsolidationRow, 'id' | 'dryRun'>,
  repeats: readonly Repeat[],
): Promise<MemoryChangeRow[]> {
  if (!repeats.length) return [];
  const status = dryRun ? ('proposed' as const) : ('applying' as const);
  const open: MemoryChangeStatus[] = dryRun ? ['proposed'] : ['proposed', 'applying', 'applied'];
  return query
    .insert(memoryChanges)
    .values(
      repeats.map(({ memory, by }) => ({
        id: mergeIdOf(memory, by),
        consolidationId,
        kind: 'merge' as const,
        status,
        memoryId: by.id,
        sources: [memory.id],
      })),
    )
    .onConflictDoUpdate({
      target: memoryChanges.id,
      set: { consolidationId, status, changedAt: sql`now()` },
      setWhere: inArray(memoryChanges.status, open),
    })
    .returning();
}

/** Adds a summary, or returns the existing one of the same memories. */
export async function addSummaryChange(
  query: Queryable,
  change: typeof memoryChanges.$inferInsert,
): Promise<MemoryChangeRow> {
  await query.insert(memoryChanges).values(change).onConflictDoNothing();
  const found = await findChange(query, change.id);
  if (!found) throw new Error(`Postgres has no row for the change "${change.id}" that was just written.`);
  return found;
}

export async function findChange(query: Queryable, id: string): Promise<MemoryChangeRow | undefined> {
  const [row] = await query.select().from(memoryChanges).where(eq(memoryChanges.id, id));
  return row;
}

export async function readChanges(
  query: Queryable,
  filter: { consolidationId?: string; statuses?: MemoryChangeStatus[]; limit?: number },
): Promise<MemoryChangeRow[]> {
  const { consolidationId, statuses, limit = 500 } = filter;
  return query
    .select()
    .from(memoryChanges)
    .where(
      and(
        consolidationId === undefined ? undefined : eq(memoryChanges.consolidationId, consolidationId),
        statuses && inArray(memoryChanges.status, statuses),
      ),
    )
    .orderBy(asc(memoryChanges.createdAt), asc(memoryChanges.id))
    .limit(limit);
}

/** Applied merges in which one of these memories replaced another. */
export async function readMergesInto(query: Queryable, memoryIds: string[]): Promise<MemoryChangeRow[]> {
  if (!memoryIds.length) return [];
  return query
    .select()
    .from(memoryChanges)
    .where(
      and(
        inArray(memoryChanges.memoryId, memoryIds),
        eq(memoryChanges.kind, 'merge'),
        eq(memoryChanges.status, 'applied'),
      ),
    );
}

/** Which of the memories the consolidation has proposed to replace, each with its replacement. */
export async function findProposedKeepers(
  query: Queryable,
  consolidationId: string,
  memories: string[],
): Promise<Map<string, string>> {
  if (!memories.length) return new Map();
  const rows = await query
    .select({ sources: memoryChanges.sources, memoryId: memoryChanges.memoryId })
    .from(memoryChanges)
    .where(
      and(
        eq(memoryChanges.consolidationId, consolidationId),
        eq(memoryChanges.kind, 'merge'),
        arrayOverlaps(memoryChanges.sources, memories),
      ),
    );
  return new Map(rows.flatMap(({ sources, memoryId }) => sources.map((source) => [source, memoryId] as const)));
}

/** Which of the memories have ever been summarized, whatever became of the summary. */
export async function findSummarized(query: Queryable, memories: string[]): Promise<Set<string>> {
  if (!memories.length) return new Set();
  const rows = await query
    .select({ sources: memoryChanges.sources })
    .from(memoryChanges)
    .where(and(eq(memoryChanges.kind, 'summary'), arrayOverlaps(memoryChanges.sources, memories)));
  return new Set(rows.flatMap(({ sources }) => sources));
}

export async function setChangeStatus(
  query: Queryable,
  ids: string[],
  status: MemoryChangeStatus,
  more: { replaces?: boolean } = {},
): Promise<void> {
  if (!ids.length) return;
  await query
    .update(memoryChanges)
    .set({ status, changedAt: sql`now()`, ...more })
    .where(inArray(memoryChanges.id, ids));
}

export async function setTagsAdded(query: Queryable, id: string, tagsAdded: string[]): Promise<void> {
  await query.update(memoryChanges).set({ tagsAdded }).where(eq(memoryChanges.id, id));
}

/**
 * The change with this id, or those of the consolidation with this id, up to the limit of one read.
 * @throws {DatabaseError} `UnknownConsolidation`
 */
export async function findChangesOf(
  query: Queryable,
  id: string,
  statuses?: MemoryChangeStatus[],
): Promise<MemoryChangeRow[]> {
  const change = await findChange(query, id);
  if (change) return [change];
  if (await findConsolidation(query, id))
    return readChanges(query, { consolidationId: id, ...(statuses && { statuses }) });
  throw new DatabaseError(
    'UnknownConsolidation',
    `Expected the id of a consolidation or of one of its changes, got "${id}". \`longhaul memory consolidations list\` shows them.`,
  );
}
