import { and, asc, eq, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../connection/database.ts';
import { addEvents } from '../events/add-to-owner.ts';
import { outsideCalls } from '../schema/outside-calls.ts';

export type OutsideCallRow = typeof outsideCalls.$inferSelect;
export type NewOutsideCall = Pick<
  OutsideCallRow,
  'runId' | 'id' | 'place' | 'tool' | 'input' | 'hasSideEffects' | 'timeoutMs'
>;

/** Seconds without a sign of life after which a client counts as dead; it gives one every five. */
const patience = 15;

/** Adds a call, with the event `tool.call` if it is `shown`, or finds the one that is there. */
export async function openOutsideCall(
  database: Database,
  call: NewOutsideCall,
  shown?: { call: string; preview: string },
): Promise<OutsideCallRow> {
  const found = await findOutsideCall(database, call);
  if (found) return found;
  return database.transaction(async (query) => {
    const [row] = await query.insert(outsideCalls).values(call).onConflictDoNothing().returning();
    if (row && shown)
      await addEvents(query, { kind: 'run', id: call.runId }, [{ type: 'tool.call', tool: call.tool, ...shown }]);
    const kept = row ?? (await findOutsideCall(query, call)); // another attempt was faster
    if (!kept) throw new Error(`Expected the call ${call.id} to be stored, found none.`);
    return kept;
  });
}

export async function findOutsideCall(
  query: Queryable,
  { runId, id }: Pick<OutsideCallRow, 'runId' | 'id'>,
): Promise<OutsideCallRow | undefined> {
  const [row] = await query
    .select()
    .from(outsideCalls)
    .where(and(eq(outsideCalls.runId, runId), eq(outsideCalls.id, id)));
  return row;
}

export interface Claim {
  runId: string;
  /** The tools that the client has. */
  tools: string[];
  client: string;
  /** The calls that it is making. */
  making: string[];
}

/**
 * Gives a client the calls that nobody makes, and those whose client died. Of the latter, one with side effects may have taken effect, so it fails
 * instead; `cutOff` says how many did.
 */
export async function claimOutsideCalls(
  database: Database,
  { runId, tools, client, making }: Claim,
): Promise<{ calls: OutsideCallRow[]; cutOff: number }> {
  const { claimedBy, seenAt } = outsideCalls;
  const isStale = sql<boolean>`${seenAt} < now() - make_interval(secs => ${patience})`;
  return database.transaction(async (query) => {
    const due = await query
      .select()
      .from(outsideCalls)
      .where(
        and(
          ...[eq(outsideCalls.runId, runId), eq(outsideCalls.place, 'client'), isNull(outsideCalls.endedAt)],
          inArray(outsideCalls.tool, tools),
          making.length ? notInArray(outsideCalls.id, making) : undefined,
          or(isNull(claimedBy), eq(claimedBy, client), isStale),
        ),
      )
      .orderBy(asc(outsideCalls.createdAt))
      .for('update', { skipLocked: true });
    const lost = due.filter((one) => one.hasSideEffects && one.claimedBy !== null && one.claimedBy !== client);
    for (const { id, tool } of lost) {
      const why = `The client died during its call of ${tool}. Nobody knows whether the call took effect, so it is not made again. Find out, then decide.`;
      await endOutsideCall(query, { runId, id, result: why, failed: true });
    }
    const calls = due.filter((one) => !lost.includes(one));
    const ids = calls.map(({ id }) => id);
    if (ids.length) await markMaking(query, { runId, client, ids });
    return { calls, cutOff: lost.length };
  });
}

/** Says that a client makes these calls and is still there. */
export async function markMaking(
  query: Queryable,
  { runId, client, ids }: { runId: string; client: string; ids: string[] },
): Promise<void> {
  await query
    .update(outsideCalls)
    .set({ claimedBy: client, seenAt: sql`now()` })
    .where(and(eq(outsideCalls.runId, runId), inArray(outsideCalls.id, ids)));
}

/** Notes that a call of a program begins. False if an earlier attempt noted it, which may have done what it asks for. */
export async function beginOutsideCall(
  query: Queryable,
  { runId, id }: Pick<OutsideCallRow, 'runId' | 'id'>,
): Promise<boolean> {
  const begun = await query
    .update(outsideCalls)
    .set({ claimedBy: 'agent' })
    .where(and(eq(outsideCalls.runId, runId), eq(outsideCalls.id, id), isNull(outsideCalls.claimedBy)))
    .returning({ id: outsideCalls.id });
  return begun.length > 0;
}

/** Stores how a call ended, unless it has ended. */
export async function endOutsideCall(
  query: Queryable,
  { runId, id, result, failed }: Pick<OutsideCallRow, 'runId' | 'id' | 'result' | 'failed'>,
): Promise<void> {
  await query
    .update(outsideCalls)
    .set({ result: result ?? null, failed, endedAt: new Date() })
    .where(and(eq(outsideCalls.runId, runId), eq(outsideCalls.id, id), isNull(outsideCalls.endedAt)));
}

/** Ends what a run still waits for outside: the run has ended. */
export async function endOutsideCallsOf(query: Queryable, runId: string): Promise<void> {
  await query
    .update(outsideCalls)
    .set({ result: 'The run ended first.', failed: true, endedAt: new Date() })
    .where(and(eq(outsideCalls.runId, runId), isNull(outsideCalls.endedAt)));
}
