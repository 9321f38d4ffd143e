import { and, asc, desc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { events, exchanges, messages, summaries } from '../schema/runs.ts';
import { type BranchRange, isExchangeIn } from './branch-ranges.ts';

/** A person's message and its answer. */
export type ExchangeRow = typeof exchanges.$inferSelect;

export async function findExchange(query: Queryable, chatId: string, id: string): Promise<ExchangeRow | undefined> {
  const [row] = await query
    .select()
    .from(exchanges)
    .where(and(eq(exchanges.chatId, chatId), eq(exchanges.id, id)));
  return row;
}

/** All exchanges of a chat, in order. */
export async function readExchanges(query: Queryable, chatId: string): Promise<ExchangeRow[]> {
  return query.select().from(exchanges).where(eq(exchanges.chatId, chatId)).orderBy(asc(exchanges.number));
}

/** Condition: the exchange is not answered yet. Must match the condition of its index. */
export const isOpen = sql`${exchanges.status} in ('RUNNING', 'WAITING')`;

/** Whether a message of a chat waits for its answer or is being answered. */
export async function hasOpenExchange(query: Queryable, chatId: string): Promise<boolean> {
  const [open] = await query
    .select({ id: exchanges.id })
    .from(exchanges)
    .where(and(eq(exchanges.chatId, chatId), isOpen))
    .limit(1);
  return open !== undefined;
}

/** The message to answer now: the one being answered, else the first waiting one of `urgent`, else the first waiting one. */
export async function findNextExchange(
  query: Queryable,
  chatId: string,
  urgent: string[] = [],
): Promise<ExchangeRow | undefined> {
  const ids = sql.join(
    urgent.map((id) => sql`${id}`),
    sql`, `,
  );
  const place = urgent.length ? [sql`array_position(array[${ids}]::text[], ${exchanges.id}) nulls last`] : [];
  const [row] = await query
    .select()
    .from(exchanges)
    .where(and(eq(exchanges.chatId, chatId), isOpen))
    .orderBy(sql`${exchanges.status} = 'RUNNING' desc`, ...place, asc(exchanges.number))
    .limit(1);
  return row;
}

/**
 * The message that a stop without a named message applies to: the one being answered, else the only waiting one. `nothing` if all are answered;
 * `unsure` if several wait, since only the chat's workflow knows which comes next.
 */
export async function findStoppable(query: Queryable, chatId: string): Promise<{ id: string } | 'nothing' | 'unsure'> {
  const [first, second] = await query
    .select({ id: exchanges.id, status: exchanges.status })
    .from(exchanges)
    .where(and(eq(exchanges.chatId, chatId), isOpen))
    .orderBy(sql`${exchanges.status} = 'RUNNING' desc`)
    .limit(2);
  if (!first) return 'nothing';
  return second && first.status !== 'RUNNING' ? 'unsure' : { id: first.id };
}

/** Number of an exchange's first event; 0 if it has none. */
export async function findFirstEvent(query: Queryable, chatId: string, id: string): Promise<number> {
  // Latest first, since it is asked for soon after the event.
  const [row] = await query
    .select({ number: events.number })
    .from(events)
    .where(
      and(
        eq(events.chatId, chatId),
        sql`${events.data}->>'type' = 'message.received'`,
        sql`${events.data}->>'exchange' = ${id}`,
      ),
    )
    .orderBy(desc(events.number))
    .limit(1);
  return row?.number ?? 0;
}

/** Ids of the memories recalled in a run, except in messages that a summary replaces. */
export async function readRecalled(query: Queryable, runId: string): Promise<string[]> {
  const isShown = sql`${messages.number} > coalesce((select max(${summaries.upToMessage}) from ${summaries}
    where ${summaries.runId} = ${runId} and ${summaries.shown} is not null), -1)`;
  const rows = await query
    .select({ recalled: sql<string[]>`${messages.content}->'recalled'` })
    .from(messages)
    .where(and(eq(messages.runId, runId), sql`${messages.content} ? 'recalled'`, isShown));
  return rows.flatMap(({ recalled }) => recalled);
}

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
