import { and, eq, sql } from 'drizzle-orm';
import type { ProjectEventData } from '../../domain/run/event.ts';
import type { Queryable } from '../connection/database.ts';
import { events } from '../schema/runs.ts';

/** The hosts, with ports, that a project's log says were refused a sandbox. */
export async function readRefusedHosts(
  query: Queryable,
  { projectId, sandbox }: { projectId: string; sandbox: string },
): Promise<Set<string>> {
  const ofSandbox = sql`${events.data}->>'type' = 'network-refused' AND ${events.data}->>'sandbox' = ${sandbox}`;
  const rows = await query
    .select({ data: events.data })
    .from(events)
    .where(and(eq(events.projectId, projectId), ofSandbox));
  return new Set(
    rows.flatMap(({ data }) => {
      const event = data as ProjectEventData;
      return event.type === 'network-refused' ? event.refusals.map(({ host }) => host) : [];
    }),
  );
}
