import { and, eq, sql } from 'drizzle-orm';
import type { ChatEventData, ProjectEventData } from '../../domain/run/event.ts';
import type { RunOwner } from '../../domain/run/run-owner.ts';
import type { Queryable } from '../connection/database.ts';
import { events } from '../schema/runs.ts';

/** The hosts, with ports, that the log of a project or chat says were refused a sandbox. */
export async function readRefusedHosts(query: Queryable, owner: RunOwner, sandbox: string): Promise<Set<string>> {
  const ofOwner = eq(owner.kind === 'project' ? events.projectId : events.chatId, owner.id);
  const ofSandbox = sql`${events.data}->>'type' = 'network.refused' AND ${events.data}->>'sandbox' = ${sandbox}`;
  const rows = await query.select({ data: events.data }).from(events).where(and(ofOwner, ofSandbox));
  return new Set(
    rows.flatMap(({ data }) => {
      const event = data as ProjectEventData | ChatEventData;
      return event.type === 'network.refused' ? event.refusals.map(({ host }) => host) : [];
    }),
  );
}
