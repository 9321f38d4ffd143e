import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { AgentRunStatus } from '../../domain/agent-run/status.ts';
import { describeAmbiguous } from '../../domain/match-reference.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError, unknownRun } from '../database-error.ts';
import { agentRuns } from '../schema/agent-runs.ts';

export type AgentRunRow = typeof agentRuns.$inferSelect;
export type NewAgentRun = typeof agentRuns.$inferInsert;

/**
 * Adds a run, or finds the one with the same idempotency key.
 * @throws {DatabaseError} `RunExists` if another run has its id.
 */
export async function createAgentRun(query: Queryable, run: NewAgentRun): Promise<AgentRunRow> {
  const { agent, idempotencyKey } = run;
  const [row] = await query.insert(agentRuns).values(run).onConflictDoNothing().returning();
  if (row) return row;
  const same = idempotencyKey ? await findByKey(query, agent, idempotencyKey) : undefined;
  if (same) return same;
  throw new DatabaseError(
    'RunExists',
    `There is a run with the id "${run.id}" already. Give another \`runId\`, or none.`,
  );
}

/** The run of an agent that was started with an idempotency key. */
export async function findByKey(query: Queryable, agent: string, key: string): Promise<AgentRunRow | undefined> {
  const [row] = await query
    .select()
    .from(agentRuns)
    .where(and(eq(agentRuns.agent, agent), eq(agentRuns.idempotencyKey, key)));
  return row;
}

/** @throws {DatabaseError} `UnknownRun` */
export async function readAgentRun(query: Queryable, id: string): Promise<AgentRunRow> {
  const [row] = await query.select().from(agentRuns).where(eq(agentRuns.id, id));
  if (row) return row;
  throw unknownRun(id);
}

/**
 * The run with this id, or start of an id.
 * @throws {DatabaseError} `UnknownRun`
 */
export async function resolveAgentRun(query: Queryable, reference: string): Promise<AgentRunRow> {
  const [exact] = await query.select().from(agentRuns).where(eq(agentRuns.id, reference));
  if (exact) return exact;
  const fitting = await query.select().from(agentRuns).where(sql`starts_with(${agentRuns.id}, ${reference})`).limit(11);
  const [only] = fitting;
  if (!only || !reference) throw unknownRun(reference);
  if (fitting.length === 1) return only;
  throw new DatabaseError(
    'UnknownRun',
    describeAmbiguous(
      reference,
      'runs',
      fitting.map(({ id }) => id),
    ),
  );
}

export interface AgentRunFilter {
  agent?: string | undefined;
  status?: AgentRunStatus | undefined;
  parentId?: string | undefined;
  /** 50 if absent. */
  limit?: number | undefined;
}

/** Newest first. */
export async function listAgentRuns(
  query: Queryable,
  { agent, status, parentId, limit = 50 }: AgentRunFilter = {},
): Promise<AgentRunRow[]> {
  const conditions: Array<SQL | undefined> = [
    agent === undefined ? undefined : eq(agentRuns.agent, agent),
    status === undefined ? undefined : eq(agentRuns.status, status),
    parentId === undefined ? undefined : eq(agentRuns.parentId, parentId),
  ];
  return query
    .select()
    .from(agentRuns)
    .where(and(...conditions))
    .orderBy(desc(agentRuns.createdAt), desc(agentRuns.id))
    .limit(limit);
}
