import { and, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from '../connection/database.ts';
import { exchanges, messages, runs } from '../schema/runs.ts';

/** The messages of a run that belong to a branch: those numbered `from` to `before`, the latter excluded. */
export interface BranchRange {
  runId: string;
  from: number;
  before: number;
}

/** Greater than any message number. */
export const endOfRun = 2_147_483_647;

/** The parts that a branch consists of, latest first. Its run holds copies of the earlier parts; these are the originals. */
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

/** Condition: the message lies in one of the ranges. */
export function isInRanges(ranges: BranchRange[]): SQL {
  return isPlacedIn(ranges, messages.runId, messages.number);
}

/** Condition: the exchange lies in one of the ranges; null for one that waits. */
export function isExchangeIn(ranges: BranchRange[]): SQL {
  return isPlacedIn(ranges, exchanges.runId, exchanges.messageNumber);
}

function isPlacedIn(ranges: BranchRange[], ofRun: AnyPgColumn, number: AnyPgColumn): SQL {
  const each = ranges.map(({ runId, from, before }) => and(eq(ofRun, runId), gte(number, from), lt(number, before)));
  return or(...each) ?? sql`false`;
}

/** Whether a person's message lies in one of the ranges; one that waits lies in none yet. */
export function isSaidIn(
  ranges: BranchRange[],
  { runId, messageNumber }: { runId: string | null; messageNumber: number | null },
): boolean {
  return ranges.some(
    (range) =>
      range.runId === runId && messageNumber !== null && messageNumber >= range.from && messageNumber < range.before,
  );
}
