import { desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { chats } from '../schema/chats.ts';
import { exchanges, messages } from '../schema/runs.ts';

export interface RecentExchange {
  /** The chat's name. */
  chat: string;
  said: string;
  /** What the agent said last; empty where there is no answer. */
  answer: string;
  createdAt: Date;
}

/** What was said last, in one chat or in all, oldest first. What is being answered is left out. */
export async function readRecentExchanges(
  query: Queryable,
  { chatId, limit }: { chatId?: string; limit: number },
): Promise<RecentExchange[]> {
  const next = sql`(select min(later.message_number) from ${exchanges} later
    where later.run_id = ${exchanges.runId} and later.message_number > ${exchanges.messageNumber})`;
  const answer = sql<string>`coalesce((select said.content->>'text' from ${messages} said
    where said.run_id = ${exchanges.runId} and said.role = 'assistant' and said.number > ${exchanges.messageNumber}
      and said.number < coalesce(${next}, 2147483647) and said.content->>'text' <> ''
    order by said.number desc limit 1), '')`;
  const ended = sql`${exchanges.endedAt} is not null`;
  const rows = await query
    .select({ chat: chats.name, said: exchanges.text, answer, createdAt: exchanges.createdAt })
    .from(exchanges)
    .innerJoin(chats, eq(chats.id, exchanges.chatId))
    .where(chatId === undefined ? ended : sql`${ended} and ${exchanges.chatId} = ${chatId}`)
    .orderBy(desc(exchanges.createdAt), desc(exchanges.chatId), desc(exchanges.number))
    .limit(limit);
  return rows.reverse();
}
