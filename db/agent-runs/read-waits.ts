import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { preview } from '../../domain/storable-text.ts';
import type { Queryable } from '../connection/database.ts';
import { agentRuns } from '../schema/agent-runs.ts';
import { outsideCalls } from '../schema/outside-calls.ts';
import { requests } from '../schema/requests.ts';
import { events } from '../schema/runs.ts';

/** What runs wait for at the moment, for each run that waits. */
export async function readWaits(query: Queryable, runIds: string[]): Promise<Map<string, string>> {
  if (!runIds.length) return new Map();
  const open = await query
    .select({ id: requests.id, runId: requests.agentRunId, asked: requests.asked })
    .from(requests)
    .where(and(inArray(requests.agentRunId, runIds), isNull(requests.answeredBy)))
    .orderBy(asc(requests.createdAt));
  const waits = new Map<string, string>();
  for (const { id, runId, asked } of open) {
    if (runId === null || waits.has(runId)) continue;
    waits.set(runId, `a person's answer: ${preview(asked, 200)} \`longhaul answer ${id} yes|no\``);
  }
  const calls = await query
    .select({ runId: outsideCalls.runId, tool: outsideCalls.tool, claimedBy: outsideCalls.claimedBy })
    .from(outsideCalls)
    .where(and(inArray(outsideCalls.runId, runIds), eq(outsideCalls.place, 'client'), isNull(outsideCalls.endedAt)))
    .orderBy(asc(outsideCalls.createdAt));
  for (const { runId, tool, claimedBy } of calls) {
    if (waits.has(runId)) continue;
    const isTaken = claimedBy !== null;
    waits.set(
      runId,
      isTaken ? `the client that runs ${tool}` : `a client that runs ${tool}: \`handle.provide({ ${tool} })\``,
    );
  }
  const delays = await query
    .select({ runId: agentRuns.id, reason: sql<string>`${events.data} ->> 'reason'` })
    .from(agentRuns)
    .innerJoin(events, and(eq(events.agentRunId, agentRuns.id), eq(events.number, agentRuns.eventCount))) // its last event
    .where(and(inArray(agentRuns.id, runIds), eq(sql`${events.data} ->> 'type'`, 'work.delayed')));
  for (const { runId, reason } of delays) {
    if (!waits.has(runId)) waits.set(runId, `its next try: ${reason}`);
  }
  return waits;
}
