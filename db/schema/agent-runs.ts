import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { AgentDeclaration } from '../../domain/agent-run/declaration.ts';
import type { AgentMessage, Artifacts, OwnUsage } from '../../domain/agent-run/message.ts';
import type { AgentKind, AgentRunLimits } from '../../domain/agent-run/run-request.ts';
import type { AgentRunStatus } from '../../domain/agent-run/status.ts';
import { count, createdAt, endedAt } from './columns.ts';

/** The agents that programs of users host, in each version that is or was there. */
export const hostedAgents = pgTable(
  'hosted_agents',
  {
    key: text('key').notNull(),
    /** Changes with its code. */
    version: text('version').notNull(),
    kind: text('kind').$type<AgentKind>().notNull(),
    /** The Temporal task queue of its hosts. */
    queue: text('queue').notNull(),
    declaration: jsonb('declaration').$type<AgentDeclaration>().notNull(),
    /** When a host last started with it; new runs take the latest version. */
    hostedAt: timestamp('hosted_at', { withTimezone: true }).notNull(),
    /** When a host last said that it is there. */
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.version] })],
);

/** Runs of users' own agents; each has a row of the same id in `runs`, for its messages and its usage. */
export const agentRuns = pgTable(
  'agent_runs',
  {
    id: text('id').primaryKey(),
    agent: text('agent').notNull(),
    /** The version that it began with, which it keeps. */
    version: text('version').notNull(),
    kind: text('kind').$type<AgentKind>().notNull(),
    queue: text('queue').notNull(),
    status: text('status').$type<AgentRunStatus>().notNull(),
    input: jsonb('input').$type<AgentMessage[]>().notNull(),
    params: jsonb('params').$type<unknown>(),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull(),
    conversationId: text('conversation_id'),
    /** A second start with the same key finds this run. */
    idempotencyKey: text('idempotency_key'),
    /** The run that started it; null if a program did. */
    parentId: text('parent_id'),
    /** The run that it repeats; null if it is none's retry. */
    retryOf: text('retry_of'),
    limits: jsonb('limits').$type<AgentRunLimits>().notNull(),
    /** Milliseconds; null for none. */
    timeoutMs: bigint('timeout_ms', { mode: 'number' }),
    maxRetries: integer('max_retries').notNull(),
    backoffMs: bigint('backoff_ms', { mode: 'number' }).notNull(),
    /** From 1, the most urgent, to 5. */
    priority: integer('priority').notNull(),
    attempts: count('attempts'),
    /** The number of its last checkpoint, and what that kept. */
    checkpoint: count('checkpoint'),
    state: jsonb('state').$type<unknown>(),
    output: jsonb('output').$type<unknown>(),
    finalMessages: jsonb('final_messages').$type<AgentMessage[]>(),
    artifacts: jsonb('artifacts').$type<Artifacts>(),
    /** What its agent reported of calls of its own. */
    ownUsage: jsonb('own_usage').$type<OwnUsage>(),
    /** Why it failed, was cancelled or timed out. */
    reason: text('reason'),
    eventCount: bigint('event_count', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    startedAt: timestamp('started_at', { withTimezone: true }),
    endedAt: endedAt(),
  },
  (table) => [
    uniqueIndex('agent_runs_idempotency').on(table.agent, table.idempotencyKey),
    index('agent_runs_created').on(table.createdAt),
    index('agent_runs_agent').on(table.agent, table.createdAt),
    index('agent_runs_parent').on(table.parentId).where(sql`${table.parentId} is not null`),
  ],
);

/** What runs of coded agents did once: model calls, tool calls, steps. */
export const operations = pgTable(
  'operations',
  {
    runId: text('run_id')
      .notNull()
      .references(() => agentRuns.id, { onDelete: 'cascade' }),
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    result: jsonb('result').$type<unknown>(),
    /** False while nobody knows whether it took effect. */
    finished: boolean('finished').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.scope, table.key] })],
);
