import { and, asc, eq } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { summaries } from '../schema/runs.ts';

export type SummaryRow = typeof summaries.$inferSelect;

/** The summaries of a run in order, including those that could not be used. */
export async function readSummaries(query: Queryable, runId: string): Promise<SummaryRow[]> {
  return query.select().from(summaries).where(eq(summaries.runId, runId)).orderBy(asc(summaries.upToMessage));
}

export async function findSummary(
  query: Queryable,
  runId: string,
  upToMessage: number,
): Promise<SummaryRow | undefined> {
  const [row] = await query
    .select()
    .from(summaries)
    .where(and(eq(summaries.runId, runId), eq(summaries.upToMessage, upToMessage)));
  return row;
}

/** Adds a summary; if there is one up to the same message, Postgres refuses it (`isAlreadyThere`). */
export function insertSummary(query: Queryable, row: Omit<SummaryRow, 'createdAt'>) {
  return query.insert(summaries).values(row);
}
