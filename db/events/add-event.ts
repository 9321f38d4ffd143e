import { sql } from 'drizzle-orm';
import type { ChatEventData, ProjectEventData } from '../../domain/run/event.ts';
import type { OwnerKind, RunOwner } from '../../domain/run/run-owner.ts';
import type { Queryable } from '../connection/database.ts';
import { chats } from '../schema/chats.ts';
import { projects } from '../schema/projects.ts';
import { events } from '../schema/runs.ts';

/** For each kind of owner the table of its row, and the column of `events` that refers to it. */
export const ownerTables = {
  project: { table: projects, column: events.projectId },
  chat: { table: chats, column: events.chatId },
} satisfies Record<OwnerKind, unknown>;

/** Adds an event under the next number of its owner, which it locks; returns false if there is no such owner. */
export async function addEvent(
  query: Queryable,
  { kind, id }: RunOwner,
  data: ProjectEventData | ChatEventData,
): Promise<boolean> {
  const { table, column } = ownerTables[kind];
  const { count } = await query.execute(sql`
    with numbered as (
      update ${table} set event_count = event_count + 1 where id = ${id} returning event_count
    )
    insert into ${events} (${sql.identifier(column.name)}, number, data)
    select ${id}, event_count, ${JSON.stringify(data)}::jsonb from numbered`);
  return count === 1;
}
