import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { ChatEventData, ProjectEventData } from '../../domain/run/event.ts';
import { expectOwner, type OwnerKind, type RunOwner } from '../../domain/run/run-owner.ts';
import { unknownChat } from '../chats/chat-transaction.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { numberedFrom, type Statement, statementOf, writeStatement } from '../connection/statement.ts';
import { unknownProject } from '../project/project-transaction.ts';
import { events } from '../schema/runs.ts';
import { ownerTables } from './add-event.ts';

/** Rows of a run, added all or none. */
export interface Addition {
  /** Added in this order. */
  events: Array<ProjectEventData | ChatEventData>;
  /** Inserts and updates that read neither one another's rows nor the row of the project or chat. */
  rows?: (query: Queryable) => Array<SQLWrapper | Statement>;
  /** Projects only: one more row in the present lineage. */
  inLineage?: (place: LineagePlace) => SQLWrapper;
}

/** Where an insert selects its row's place in the lineage from. */
export interface LineagePlace {
  projectId: SQL;
  lineageId: SQL;
  sequence: SQL;
  /** The table of these columns. */
  from: SQL;
}

/**
 * Adds rows to a run, and events to the project or chat it belongs to, in one statement; a transaction would take three round trips to Postgres.
 * Locks the project or chat first, so that event and sequence numbers have no gaps.
 * @throws {DatabaseError} `UnknownProject` or `UnknownChat` if the owner does not exist.
 */
export async function addToOwner(database: Database, owner: RunOwner, addition: Addition): Promise<void> {
  const { inLineage } = addition;
  const { kind, id } = owner;
  if (inLineage) expectOwner(owner, 'project'); // only projects have lineages
  const steps = [...(addition.rows?.(database) ?? []), ...(inLineage ? [inLineage(place)] : [])];
  const { text, parameters } = inOne([
    beginnings[inLineage ? 'lineage' : kind]({
      id,
      count: addition.events.length,
      events: JSON.stringify(addition.events),
    }),
    ...steps.map((step) => ('text' in step ? step : writeStatement(step))),
  ]);
  const [row] = await database.$client.unsafe<Array<{ found: number }>>(text, parameters as never[]);
  if (row?.found === 1) return;
  throw unknownOwner[kind](id);
}

const unknownOwner: Record<OwnerKind, (id: string) => Error> = { project: unknownProject, chat: unknownChat };

interface Beginning {
  id: string;
  count: number;
  events: string;
}

/** Locks the row of the project or chat, advances its counters, and inserts the events. */
function beginning(
  { table, column }: (typeof ownerTables)[OwnerKind],
  { id, count, events: told }: Record<keyof Beginning, Placeholder>,
  isInLineage: boolean,
): SQL {
  return sql`
    with owner as (
      update ${table} set event_count = event_count + ${count}::int${isInLineage ? sql`, sequence = sequence + 1` : sql``}
      where id = ${id} returning id, event_count${isInLineage ? sql`, sequence, lineage_id` : sql``}
    ), told as (
      insert into ${events} (${sql.identifier(column.name)}, number, data)
      select owner.id, owner.event_count - ${count}::int + told.position, told.data
      from owner, jsonb_array_elements(${told}::jsonb) with ordinality as told (data, position)
    )`;
}

const beginnings = {
  project: statementOf<Beginning>((_, value) => beginning(ownerTables.project, value, false)),
  lineage: statementOf<Beginning>((_, value) => beginning(ownerTables.project, value, true)),
  chat: statementOf<Beginning>((_, value) => beginning(ownerTables.chat, value, false)),
};

/** Combines the steps with their beginning into one statement that also returns whether the owner's row was found. */
function inOne([begin, ...steps]: [Statement, ...Statement[]]): Statement {
  let { text, parameters } = begin;
  for (const [index, step] of steps.entries()) {
    text += `, step_${index} as (${numberedFrom(step, parameters.length)})`;
    parameters = [...parameters, ...step.parameters];
  }
  return { text: `${text} select count(*)::int as found from owner`, parameters };
}

const place: LineagePlace = {
  projectId: sql`owner.id`,
  lineageId: sql`owner.lineage_id`,
  sequence: sql`owner.sequence`,
  from: sql`owner`,
};
