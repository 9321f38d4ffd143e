import { and, asc, desc, eq, gt, type SQL } from 'drizzle-orm';
import type { ChatEvent, ChatEventData, ProjectEvent, ProjectEventData } from '../../domain/run/event.ts';
import type { Queryable } from '../connection/database.ts';
import { events } from '../schema/runs.ts';

const { number, data, createdAt } = events;

interface EventRange {
  after?: number;
  limit?: number;
}

/** Events of a project after the one numbered `after`, oldest first. */
export async function readEvents(query: Queryable, projectId: string, range: EventRange = {}): Promise<ProjectEvent[]> {
  const rows = await readAfter(query, eq(events.projectId, projectId), range);
  return rows.map((row) => asProjectEvent(projectId, row));
}

/** The latest events of a project, oldest first. */
export async function readLatestEvents(query: Queryable, projectId: string, limit: number): Promise<ProjectEvent[]> {
  const rows = await query
    .select({ number, data, createdAt })
    .from(events)
    .where(eq(events.projectId, projectId))
    .orderBy(desc(number))
    .limit(limit);
  return rows.reverse().map((row) => asProjectEvent(projectId, row));
}

/** Events of a chat after the one numbered `after`, oldest first. */
export async function readChatEvents(query: Queryable, chatId: string, range: EventRange = {}): Promise<ChatEvent[]> {
  const rows = await readAfter(query, eq(events.chatId, chatId), range);
  return rows.map((row) => ({ ...row, chatId, data: row.data as ChatEventData })); // a chat's rows hold chat events
}

function readAfter(query: Queryable, isTheirs: SQL, { after = 0, limit = 1000 }: EventRange) {
  return query
    .select({ number, data, createdAt })
    .from(events)
    .where(and(isTheirs, gt(number, after)))
    .orderBy(asc(number))
    .limit(limit);
}

function asProjectEvent(projectId: string, row: Omit<ProjectEvent, 'projectId' | 'data'> & { data: unknown }) {
  return { ...row, projectId, data: row.data as ProjectEventData }; // a project's rows hold project events
}
