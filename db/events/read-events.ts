import { and, asc, desc, eq, gt } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { events } from '../schema.ts';
import type { ProjectEvent } from './event.ts';

/** Events of a project after the one numbered `after`, oldest first. */
export async function readEvents(
  query: Queryable,
  projectId: string,
  options: { after?: number; limit?: number } = {},
): Promise<ProjectEvent[]> {
  return query
    .select()
    .from(events)
    .where(and(eq(events.projectId, projectId), gt(events.number, options.after ?? 0)))
    .orderBy(asc(events.number))
    .limit(options.limit ?? 1000);
}

/** The latest events of a project, oldest first. */
export async function readLatestEvents(query: Queryable, projectId: string, limit: number): Promise<ProjectEvent[]> {
  const rows = await query
    .select()
    .from(events)
    .where(eq(events.projectId, projectId))
    .orderBy(desc(events.number))
    .limit(limit);
  return rows.reverse();
}
