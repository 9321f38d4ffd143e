import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { unknownChat } from './chats/chat-transaction.ts';
import type { Database, Queryable } from './database.ts';
import { tablesOf } from './events/add-event.ts';
import type { ChatEventData, ProjectEventData } from './events/event.ts';
import { unknownProject } from './project-transaction.ts';
import type { RunOwner } from './run-owner.ts';
import { events } from './schema/runs.ts';

/** Rows of a run that are all there or none. */
export interface Addition {
  /** Told in this order. */
  events: Array<ProjectEventData | ChatEventData>;
  /** Inserts and updates that do not look at each other, nor at the row of the project or chat. */
  rows?: (query: Queryable) => SQLWrapper[];
  /** Of a project only: one more row in its present lineage. */
  inLineage?: (place: LineagePlace) => SQLWrapper;
}

/** What a statement selects its row's place from. */
export interface LineagePlace {
  projectId: SQL;
  lineageId: SQL;
  sequence: SQL;
  /** The table that those are columns of. */
  from: SQL;
}

/**
 * Adds rows to a run, and so to whose it is, by one statement: a transaction would ask Postgres three times. It locks the project or chat
 * first, so that event and sequence numbers have no gaps.
 * @throws {UnknownProjectError | UnknownChatError} where none has the id.
 */
export async function addToOwner(database: Database, owner: RunOwner, addition: Addition): Promise<void> {
  const { table, id, column } = tablesOf(owner);
  const { inLineage } = addition;
  if (inLineage && owner.projectId === undefined) {
    throw new Error(`Expected the run of a project, whose lineages there are; got one of the chat ${owner.chatId}.`);
  }
  const steps = [...(addition.rows?.(database) ?? []), ...(inLineage ? [inLineage(place)] : [])];
  const [row] = await database.execute<{ found: number }>(sql`
    with owner as (
      update ${table} set event_count = event_count + ${addition.events.length}::int${inLineage ? sql`, sequence = sequence + 1` : sql``}
      where id = ${id} returning id, event_count${inLineage ? sql`, sequence, lineage_id` : sql``}
    ), told as (
      insert into ${events} (${sql.identifier(column.name)}, number, data)
      select owner.id, owner.event_count - ${addition.events.length}::int + told.position, told.data
      from owner, jsonb_array_elements(${JSON.stringify(addition.events)}::jsonb) with ordinality as told (data, position)
    )${sql.join(steps.map((step, index) => sql`, ${sql.identifier(`step_${index}`)} as (${step.getSQL()})`))}
    select count(*)::int as found from owner`);
  if (row?.found === 1) return;
  throw owner.chatId === undefined ? unknownProject(owner.projectId) : unknownChat(owner.chatId);
}

const place: LineagePlace = {
  projectId: sql`owner.id`,
  lineageId: sql`owner.lineage_id`,
  sequence: sql`owner.sequence`,
  from: sql`owner`,
};
