import { eq, sql } from 'drizzle-orm';
import type { ChatEventData, ProjectEventData } from '../../domain/run/event.ts';
<<<<<<< HEAD
import { expectProjectId, type RunOwner } from '../../domain/run/run-owner.ts';
=======
import { expectOwner, type OwnerKind, type RunOwner } from '../../domain/run/run-owner.ts';
import { unknownChat } from '../chats/chat-transaction.ts';
>>>>>>> house
import type { Database, Queryable } from '../connection/database.ts';
import { unknownChat, unknownProject } from '../database-error.ts';
import { chats } from '../schema/chats.ts';
import { projects } from '../schema/projects.ts';
import { events } from '../schema/runs.ts';
<<<<<<< HEAD
=======
import { ownerTables } from './add-event.ts';
>>>>>>> house

/** Rows of a run, added all or none. */
export interface Addition {
  /** Added in this order. */
  events: Array<ProjectEventData | ChatEventData>;
  /** Inserts and updates of other tables. */
  rows?: (query: Queryable) => Array<PromiseLike<unknown>>;
  /** Projects only: one more row in the present lineage. */
  inLineage?: (query: Queryable, place: LineagePlace & { projectId: string }) => PromiseLike<unknown>;
}

/** A row's place in the present lineage of a project. */
export interface LineagePlace {
  lineageId: string;
  sequence: number;
}

/**
 * Adds rows to a run, and events to the project or chat that it belongs to, in one transaction. It locks the project or chat first, so that event and
 * sequence numbers have no gaps.
 * @throws {DatabaseError} `UnknownProject` or `UnknownChat` if the owner does not exist.
 */
export async function addToOwner(database: Database, owner: RunOwner, addition: Addition): Promise<void> {
<<<<<<< HEAD
  const { events: added, rows, inLineage } = addition;
  const addInLineage = async (query: Queryable, projectId: string) =>
    inLineage?.(query, { projectId, ...(await takeLineagePlace(query, projectId)) });
  const projectId = inLineage && expectProjectId(owner);
  await database.transaction(async (query) => {
    await addEvents(query, owner, added);
    if (projectId !== undefined) await addInLineage(query, projectId);
    await Promise.all(rows?.(query) ?? []);
  });
}

/**
 * Adds events under the next numbers of their project or chat, whose row it locks.
 * @throws {DatabaseError} `UnknownProject` or `UnknownChat`
 */
export async function addEvents(
  query: Queryable,
  owner: RunOwner,
  added: Array<ProjectEventData | ChatEventData>,
): Promise<void> {
  const { projectId, chatId } = owner;
  const last = await countEvents(query, owner, added.length);
  if (!added.length) return;
  const first = last - added.length + 1;
  await query.insert(events).values(added.map((data, index) => ({ projectId, chatId, number: first + index, data })));
}

/** Returns the number of the last event, with those that are about to be added. */
async function countEvents(query: Queryable, { projectId, chatId }: RunOwner, added: number): Promise<number> {
  const table = chatId === undefined ? projects : chats;
  const [row] = await query
    .update(table)
    .set({ eventCount: sql`${table.eventCount} + ${added}` })
    .where(eq(table.id, chatId ?? projectId))
    .returning({ last: table.eventCount });
  if (row) return row.last;
  throw chatId === undefined ? unknownProject(projectId) : unknownChat(chatId);
}

/**
 * Takes the next place in the project's present lineage; locks the project.
 * @throws {DatabaseError} `UnknownProject`
 */
export async function takeLineagePlace(query: Queryable, projectId: string): Promise<LineagePlace> {
  const [row] = await query
    .update(projects)
    .set({ sequence: sql`${projects.sequence} + 1` })
    .where(eq(projects.id, projectId))
    .returning({ lineageId: projects.lineageId, sequence: projects.sequence });
  if (!row) throw unknownProject(projectId);
  return row;
=======
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
>>>>>>> house
}
