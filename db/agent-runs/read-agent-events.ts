import { and, asc, eq, gt } from 'drizzle-orm';
import type { AgentEventData } from '../../domain/run/event.ts';
import type { Queryable } from '../connection/database.ts';
import { events } from '../schema/runs.ts';

/** A stored event of a run; `sequence` counts from 1 without gaps. */
export interface StoredAgentEvent {
  sequence: number;
  createdAt: Date;
  data: AgentEventData;
}

/** Events of a run after the given sequence number, oldest first, at most 1,000. */
export async function readAgentEvents(query: Queryable, runId: string, after = 0): Promise<StoredAgentEvent[]> {
  const rows = await query
    .select({ sequence: events.number, createdAt: events.createdAt, data: events.data })
    .from(events)
    .where(and(eq(events.agentRunId, runId), gt(events.number, after)))
    .orderBy(asc(events.number))
    .limit(1000);
  return rows as StoredAgentEvent[];
}
