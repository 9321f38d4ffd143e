import { sql } from 'drizzle-orm';
import type { ChatEventData, ProjectEventData } from '../../domain/run/event.ts';
import type { Queryable } from '../connection/database.ts';
import { chats } from '../schema/chats.ts';
import { projects } from '../schema/projects.ts';
import { events } from '../schema/runs.ts';

/** The project or chat that an event belongs to. */
type EventOwner = { projectId: string; chatId?: undefined } | { chatId: string };

/** The table of the owner's row, and the column of `events` that refers to it. */
export function tablesOf(owner: EventOwner) {
  return owner.chatId === undefined
    ? { table: projects, id: owner.projectId, column: events.projectId }
    : { table: chats, id: owner.chatId, column: events.chatId };
}

/** Adds an event under the next number of its project or chat, which it locks; returns false if there is no such owner. */
export async function addEvent(
  query: Queryable,
  owner: EventOwner,
  data: ProjectEventData | ChatEventData,
): Promise<boolean> {
  const { table, id, column } = tablesOf(owner);
  const { count } = await query.execute(sql`
    with numbered as (
      update ${table} set event_count = event_count + 1 where id = ${id} returning event_count
    )
    insert into ${events} (${sql.identifier(column.name)}, number, data)
    select ${id}, event_count, ${JSON.stringify(data)}::jsonb from numbered`);
  return count === 1;
}
