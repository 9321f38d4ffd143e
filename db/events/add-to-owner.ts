import { eq, sql } from 'drizzle-orm';
import type { AgentEventData, ChatEventData, ProjectEventData } from '../../domain/run/event.ts';
import { expectOwner, type OwnerKind, type RunOwner } from '../../domain/run/run-owner.ts';
import { scrubAll } from '../../domain/secrets/scrub.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { unknownChat, unknownProject, unknownRun } from '../database-error.ts';
import { agentRuns } from '../schema/agent-runs.ts';
import { chats } from '../schema/chats.ts';
import { projects } from '../schema/projects.ts';
import { events } from '../schema/runs.ts';

/** Rows of a run, added all or none. */
export interface Addition {
  /** Added in this order. */
  events: Array<ProjectEventData | ChatEventData | AgentEventData>;
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

/** For each kind of owner: the table of its row, the column of `events` that refers to it, and the error for an unknown id. */
const owners = {
  project: { table: projects, column: 'projectId', unknown: unknownProject },
  chat: { table: chats, column: 'chatId', unknown: unknownChat },
  run: { table: agentRuns, column: 'agentRunId', unknown: unknownRun },
} as const satisfies Record<OwnerKind, unknown>;

/**
 * Adds rows to a run, and events to its owner, in one transaction. It locks the owner's row first, so that event and
 * sequence numbers have no gaps.
 * @throws {DatabaseError} `UnknownProject`, `UnknownChat` or `UnknownRun` if the owner does not exist.
 */
export async function addToOwner(database: Database, owner: RunOwner, addition: Addition): Promise<void> {
  const { events: added, rows, inLineage } = addition;
  if (inLineage) expectOwner(owner, 'project'); // only projects have lineages
  await database.transaction(async (query) => {
    await addEvents(query, owner, added);
    if (inLineage) await inLineage(query, { projectId: owner.id, ...(await takeLineagePlace(query, owner.id)) });
    await Promise.all(rows?.(query) ?? []);
  });
}

/**
 * Adds events, scrubbed of secrets, under the next numbers of their owner, whose row it locks: by one statement, so that also without a transaction
 * whoever sees a number sees all before it.
 * @throws {DatabaseError} `UnknownProject`, `UnknownChat` or `UnknownRun`
 */
export async function addEvents(
  query: Queryable,
  owner: RunOwner,
  added: Array<ProjectEventData | ChatEventData | AgentEventData>,
): Promise<void> {
  const { table, column, unknown } = owners[owner.kind];
  const data = JSON.stringify(added.map((one) => scrubAll(one)));
  const [counted] = await query.execute(sql`
    with counted as (
      update ${table} set event_count = event_count + ${added.length} where id = ${owner.id} returning event_count as last
    ), stored as (
      insert into ${events} (${sql.identifier(events[column].name)}, number, data)
      select ${owner.id}, counted.last - ${added.length} + given.position, given.data
      from counted, jsonb_array_elements(${data}::jsonb) with ordinality as given (data, position)
    )
    select last from counted`);
  if (!counted) throw unknown(owner.id);
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
}
