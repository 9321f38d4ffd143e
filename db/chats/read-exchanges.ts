import { and, desc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { exchanges } from '../schema/runs.ts';
import { type BranchRange, isExchangeIn } from './branch-ranges.ts';
import type { ExchangeRow } from './find-exchange.ts';

/**
 * The exchanges of a branch in the order of its transcript, where a message that interrupted comes before those that waited; for the current branch,
 * those that still wait follow. With `last`, only the latest ones.
 */
export async function readExchangesOf(
  query: Queryable,
  chatId: string,
  { ranges, isCurrent, last }: { ranges: BranchRange[]; isCurrent: boolean; last?: number | undefined },
): Promise<ExchangeRow[]> {
  const { runId, messageNumber, number } = exchanges;
  const said = isExchangeIn(ranges);
  const latest = query
    .select()
    .from(exchanges)
    .where(and(eq(exchanges.chatId, chatId), isCurrent ? or(said, isNull(runId)) : said))
    .orderBy(sql`${messageNumber} desc nulls first`, desc(number));
  return (await (last === undefined ? latest : latest.limit(last))).reverse();
}
