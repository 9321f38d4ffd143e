import { and, eq, sql } from 'drizzle-orm';
import type { AgentEventData } from '../../domain/run/event.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { addEvents } from '../events/add-to-owner.ts';
import { agentRuns, operations } from '../schema/agent-runs.ts';
import { insertCall, type NewCall } from '../usage/add-call.ts';

export type OperationRow = typeof operations.$inferSelect;
export type NewOperation = Pick<OperationRow, 'scope' | 'key' | 'kind' | 'name'>;

/** What a run did since its checkpoint of the given number. */
export async function readOperations(query: Queryable, runId: string, checkpoint: number): Promise<OperationRow[]> {
  return query
    .select()
    .from(operations)
    .where(and(eq(operations.runId, runId), sql`split_part(${operations.scope}, '/', 1) = ${`${checkpoint}`}`));
}

/** What a run did and finished, over all checkpoints, in the order in which it began to be kept. */
export async function readAllOperations(query: Queryable, runId: string): Promise<OperationRow[]> {
  return query
    .select()
    .from(operations)
    .where(and(eq(operations.runId, runId), eq(operations.finished, true)))
    .orderBy(operations.createdAt, operations.scope, operations.key);
}

/** Marks an operation as begun. */
export async function beginOperation(query: Queryable, runId: string, operation: NewOperation): Promise<void> {
  await query
    .insert(operations)
    .values({ runId, ...operation, finished: false })
    .onConflictDoNothing();
}

/** Stores an operation's result with its events and the usage of its model call; returns the result that counts, the first one. */
export async function finishOperation(
  database: Database,
  runId: string,
  { result, ...operation }: NewOperation & { result: unknown },
  { events = [], call }: { events?: AgentEventData[] | undefined; call?: NewCall | undefined },
): Promise<unknown> {
  return database.transaction(async (query) => {
    const { scope, key } = operation;
    const [row] = await query
      .insert(operations)
      .values({ runId, ...operation, result, finished: true })
      .onConflictDoUpdate({
        target: [operations.runId, operations.scope, operations.key],
        set: { result, finished: true },
        setWhere: eq(operations.finished, false),
      })
      .returning();
    if (row) {
      if (call) await insertCall(query, call);
      if (events.length) await addEvents(query, { kind: 'run', id: runId }, events);
      return row.result;
    }
    if (call) await insertCall(query, { ...call, outcome: 'UNUSED' });
    const [earlier] = await query
      .select({ result: operations.result })
      .from(operations)
      .where(and(eq(operations.runId, runId), eq(operations.scope, scope), eq(operations.key, key)));
    return earlier?.result;
  });
}

/** Keeps a state to go on from, unless one of that number or a later one is kept. */
export async function keepCheckpoint(
  database: Database,
  runId: string,
  { number, state }: { number: number; state: unknown },
): Promise<void> {
  await database.transaction(async (query) => {
    const [row] = await query
      .update(agentRuns)
      .set({ checkpoint: number, state })
      .where(and(eq(agentRuns.id, runId), sql`${agentRuns.checkpoint} < ${number}`))
      .returning({ id: agentRuns.id });
    if (row) await addEvents(query, { kind: 'run', id: runId }, [{ type: 'state.checkpoint', number }]);
  });
}
