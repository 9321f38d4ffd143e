import { type AnyColumn, and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { CallPurpose } from '../../domain/model/model-call.ts';
import type { Queryable } from '../connection/database.ts';
import { runs } from '../schema/runs.ts';
import { usage } from '../schema/usage.ts';

/** Condition: the call's answer counts. */
const isAnswered = sql`${usage.outcome} = 'ANSWERED'`;

/** Condition: the call answered its turn, rather than writing a summary or failing. */
export const isAnswer = and(eq(usage.summaryUpTo, -1), isAnswered) as SQL;

/** Summed usage of calls, as far as it is known. */
export interface CallSum {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** US dollars of the calls whose cost is known. */
  costUsd: number;
  /** Answered calls of unknown cost: their model has no price, or the provider counted nothing. */
  unpricedTurns: number;
  /** Calls without an answer that may still be billed: they broke off, or were stopped or lost before anything was counted. */
  unknownCalls: number;
}

/** Summed usage of the calls for one purpose. */
export interface PurposeSum extends CallSum {
  purpose: CallPurpose;
  calls: number;
}

export interface UsageSum extends CallSum {
  /** All calls, also those without an answer and those of summaries and memory extractions. */
  calls: number;
  /** Answers; summaries do not count. */
  turns: number;
  /** When the latest call was answered, in milliseconds since 1970; null if there was none. */
  latestAt: number | null;
}

const sum = (column: AnyColumn) => sql<number>`coalesce(sum(${column}), 0)::float8`;
const countOf = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`;

const sums = {
  inputTokens: sum(usage.inputTokens),
  cachedTokens: sum(usage.cachedTokens),
  outputTokens: sum(usage.outputTokens),
  reasoningTokens: sum(usage.reasoningTokens),
  costUsd: sum(usage.costUsd),
  unpricedTurns: countOf(sql`${usage.costUsd} is null and ${usage.outcome} in ('ANSWERED', 'UNUSED')`),
  unknownCalls: countOf(sql`${usage.costUsd} is null and ${usage.outcome} not in ('ANSWERED', 'UNUSED')`),
};

/** Summed usage of one run, of a topmost run with all its descendants, or of one session, project or chat. */
export async function sumUsage(
  query: Queryable,
  of: { runId: string } | { rootId: string } | { sessionId: string } | { projectId: string } | { chatId: string },
): Promise<UsageSum> {
  const [row] = await query
    .select({
      ...sums,
      calls: sql<number>`count(*)::int`,
      turns: countOf(isAnswer),
      latestAt: sql<
        number | null
      >`(extract(epoch from max(${usage.createdAt}) filter (where ${isAnswered})) * 1000)::float8`,
    })
    .from(usage)
    .innerJoin(runs, eq(runs.id, usage.runId))
    .where(isOf(of));
  if (!row) throw new Error('Expected Postgres to answer a sum with one row.');
  return row;
}

/** Summed usage of calls that belong to no run, by purpose. */
export async function sumByPurpose(query: Queryable): Promise<PurposeSum[]> {
  return query
    .select({ ...sums, purpose: usage.purpose, calls: sql<number>`count(*)::int` })
    .from(usage)
    .where(sql`${usage.runId} is null`)
    .groupBy(usage.purpose)
    .orderBy(usage.purpose);
}

function isOf(of: Parameters<typeof sumUsage>[1]): SQL | undefined {
  if ('runId' in of) return eq(runs.id, of.runId);
  if ('rootId' in of) return or(eq(runs.id, of.rootId), eq(runs.rootId, of.rootId));
  if ('sessionId' in of) return eq(runs.sessionId, of.sessionId);
  return 'chatId' in of ? eq(runs.chatId, of.chatId) : eq(runs.projectId, of.projectId);
}
