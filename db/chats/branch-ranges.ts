import { and, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from '../database.ts';
import { exchanges, messages, runs } from '../schema/runs.ts';

/** The messages of a run that a branch sees as said in it: from a number on, and before another. */
export interface BranchRange {
  runId: string;
  from: number;
  before: number;
}

/** Larger than any number of a message. */
export const endOfRun = 2_147_483_647;

/** What a branch consists of, the latest part first. Its run has copies of the earlier parts; told are the first ones. */
export async function readBranchRanges(query: Queryable, runId: string): Promise<BranchRange[]> {
  const rows = await query.execute<{ id: string; from: number; before: number }>(sql`
    with recursive part(id, "from", before, continues_id, place) as (
      select id, coalesce(continues_before, 0), ${endOfRun}::int, continues_id, 0 from ${runs} where id = ${runId}
      union all
      select run.id, coalesce(run.continues_before, 0), part."from", run.continues_id, place + 1
      from part join ${runs} run on run.id = part.continues_id)
    select id, "from", before from part where before > "from" order by place`);
  return [...rows].map(({ id, from, before }) => ({ runId: id, from, before }));
}

/** Of messages: those that stand in one of the ranges. */
export function isInRanges(ranges: BranchRange[]): SQL {
  return isPlacedIn(ranges, messages.runId, messages.number);
}

/** Of exchanges: those that stand in one of the ranges; of one that waits it is null. */
export function isExchangeIn(ranges: BranchRange[]): SQL {
  return isPlacedIn(ranges, exchanges.runId, exchanges.messageNumber);
}

function isPlacedIn(ranges: BranchRange[], ofRun: AnyPgColumn, number: AnyPgColumn): SQL {
  const each = ranges.map(({ runId, from, before }) => and(eq(ofRun, runId), gte(number, from), lt(number, before)));
  return or(...each) ?? sql`false`;
}

/** Whether what a person said stands in one of the ranges; what waits does so in none yet. */
export function isSaidIn(
  ranges: BranchRange[],
  { runId, messageNumber }: { runId: string | null; messageNumber: number | null },
): boolean {
  return ranges.some(
    (range) =>
      range.runId === runId && messageNumber !== null && messageNumber >= range.from && messageNumber < range.before,
  );
}
