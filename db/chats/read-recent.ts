import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { chats } from '../schema/chats.ts';
import { exchanges, messages, runs } from '../schema/runs.ts';
import { lastWords } from '../transcript/whole-answers.ts';
import { endOfRun } from './branch-ranges.ts';

export interface RecentExchange {
  /** The chat's name. */
  chat: string;
  said: string;
  /** What the agent said last; empty if there is no answer. */
  answer: string;
  createdAt: Date;
}

/**
 * The latest exchanges in the current branch of one chat, or of all chats that have memory, oldest first. They are in the order in which models
 * received them: a message that interrupted comes before those that waited. What a fork shares with its original appears once, as the original's. The
 * exchange being answered is left out.
 */
export async function readRecentExchanges(
  query: Queryable,
  { chatId, limit }: { chatId?: string; limit: number },
): Promise<RecentExchange[]> {
  const isMeant = chatId === undefined ? sql`head.memory` : sql`head.id = ${chatId}`;
  const isInBranch = sql`exists (select from (
    with recursive part(run_id, "from", before, continues_id) as (
      select run.id, coalesce(run.continues_before, 0), ${endOfRun}::int, run.continues_id
      from ${chats} head join ${runs} run on run.id = head.head_run_id where ${isMeant}
      union all
      select run.id, coalesce(run.continues_before, 0), part."from", run.continues_id
      from part join ${runs} run on run.id = part.continues_id)
    select * from part) part
    where part.run_id = ${exchanges.runId} and ${exchanges.messageNumber} >= part."from" and ${exchanges.messageNumber} < part.before)`;
  const { id, runId, messageNumber, text: said, createdAt } = exchanges;
  // A fork keeps ids and times (in milliseconds). Ids alone are ambiguous, since programs may choose one that is already in use.
  const time = sql`date_trunc('milliseconds', ${createdAt})`;
  const latest = query
    .selectDistinctOn([id, time], { chat: chats.name, runId, messageNumber, said, createdAt })
    .from(exchanges)
    .innerJoin(chats, eq(chats.id, exchanges.chatId))
    .where(and(isNotNull(exchanges.endedAt), isInBranch))
    .orderBy(id, time, asc(chats.createdAt))
    .as('latest');
  const next = sql`(select min(later.message_number) from ${exchanges} later
    where later.run_id = ${latest.runId} and later.message_number > ${latest.messageNumber})`;
  const answer = lastWords(latest.runId, latest.messageNumber, sql`coalesce(${next}, ${endOfRun})`);
  const rows = await query
    .select({ chat: latest.chat, said: latest.said, answer, createdAt: latest.createdAt })
    .from(latest)
    .innerJoin(messages, and(eq(messages.runId, latest.runId), eq(messages.number, latest.messageNumber)))
    .orderBy(desc(messages.createdAt), desc(latest.runId), desc(latest.messageNumber))
    .limit(limit);
  return rows.reverse();
}
