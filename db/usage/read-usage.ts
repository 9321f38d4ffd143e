import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { usage } from '../schema/usage.ts';
import { isAnswer } from './sum-usage.ts';

export type UsageRow = typeof usage.$inferSelect;

/** Every call of a run in order, with its outcome and usage. */
export async function readUsage(query: Queryable, runId: string): Promise<UsageRow[]> {
  return query
    .select()
    .from(usage)
    .where(eq(usage.runId, runId))
    .orderBy(asc(usage.turn), desc(usage.summaryUpTo), asc(usage.createdAt), asc(usage.id));
}

/** The tokens that the provider counted for the run's latest answer; undefined if it has counted none yet. */
export async function readLatestUsage(
  query: Queryable,
  runId: string,
): Promise<{ turn: number; tokens: number } | undefined> {
  const [row] = await query
    .select()
    .from(usage)
    .where(and(eq(usage.runId, runId), isAnswer, isNotNull(usage.inputTokens)))
    .orderBy(desc(usage.turn))
    .limit(1);
  return row && { turn: row.turn, tokens: (row.inputTokens ?? 0) + (row.outputTokens ?? 0) };
}

/** Input and output tokens of the calls for a turn's answer, as far as known; failed calls included. */
export async function readTokensOfTurn(query: Queryable, runId: string, turn: number): Promise<number> {
  const tokens = sql<number>`coalesce(sum(coalesce(${usage.inputTokens}, 0) + coalesce(${usage.outputTokens}, 0)), 0)::float8`;
  const [row] = await query
    .select({ tokens })
    .from(usage)
    .where(and(eq(usage.runId, runId), eq(usage.turn, turn), eq(usage.summaryUpTo, -1)));
  return row?.tokens ?? 0;
}
