import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { continueRanges, everything, type LineageRange } from '../../domain/project/lineage-range.ts';
import type { Queryable } from '../connection/database.ts';
import { lineageRanges, lineages, projects } from '../schema/projects.ts';

/** Condition: the row belongs to its project's present lineage. */
export function inPresentLineage(table: {
  projectId: AnyPgColumn;
  lineageId: AnyPgColumn;
  sequence: AnyPgColumn;
}): SQL {
  return sql`exists (
    select 1 from ${lineageRanges}
    join ${projects} on ${projects.lineageId} = ${lineageRanges.lineageId}
    where ${projects.id} = ${table.projectId}
      and ${lineageRanges.ancestorId} = ${table.lineageId}
      and ${table.sequence} <= ${lineageRanges.upToSequence})`;
}

/** The lineages whose rows a lineage sees, and up to where in each. */
export async function readLineageRanges(query: Queryable, lineageId: string): Promise<LineageRange[]> {
  const rows = await query.select().from(lineageRanges).where(eq(lineageRanges.lineageId, lineageId));
  return rows.map((row) => ({ lineageId: row.ancestorId, upToSequence: row.upToSequence }));
}

/** How far the present lineage of each one's project sees these lineages: 0 if a revert left all of it behind. Unknown lineages are absent. */
export async function readPresentRanges(query: Queryable, lineageIds: string[]): Promise<LineageRange[]> {
  const seen = and(eq(lineageRanges.lineageId, projects.lineageId), eq(lineageRanges.ancestorId, lineages.id));
  const rows = await query
    .select({ lineageId: lineages.id, upToSequence: lineageRanges.upToSequence })
    .from(lineages)
    .innerJoin(projects, eq(projects.id, lineages.projectId))
    .leftJoin(lineageRanges, seen)
    .where(inArray(lineages.id, lineageIds));
  return rows.map(({ lineageId, upToSequence }) => ({ lineageId, upToSequence: upToSequence ?? 0 }));
}

export async function findLineage(query: Queryable, id: string): Promise<typeof lineages.$inferSelect | undefined> {
  const [row] = await query.select().from(lineages).where(eq(lineages.id, id));
  return row;
}

/** Begins a project's first lineage. */
export async function beginLineage(query: Queryable, input: { id: string; projectId: string }): Promise<void> {
  await query.insert(lineages).values(input);
  await query.insert(lineageRanges).values({ lineageId: input.id, ancestorId: input.id, upToSequence: everything });
}

/** Begins a lineage that continues another one up to a sequence number. */
export async function continueLineage(
  query: Queryable,
  input: typeof lineages.$inferInsert & { parentId: string; parentSequence: number },
): Promise<void> {
  const inherited = await readLineageRanges(query, input.parentId);
  await query.insert(lineages).values(input);
  const ranges = continueRanges(inherited, input.id, input.parentSequence);
  await query
    .insert(lineageRanges)
    .values(
      ranges.map(({ lineageId: ancestorId, upToSequence }) => ({ lineageId: input.id, ancestorId, upToSequence })),
    );
}
