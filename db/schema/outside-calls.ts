import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import type { RecordedPlace } from '../../domain/agent-run/declaration.ts';
import { agentRuns } from './agent-runs.ts';
import { createdAt, endedAt } from './columns.ts';

/** Calls of agents' tools that are made outside the agent's process. */
export const outsideCalls = pgTable(
  'outside_calls',
  {
    runId: text('run_id')
      .notNull()
      .references(() => agentRuns.id, { onDelete: 'cascade' }),
    /** The call's own, the same at each attempt. */
    id: text('id').notNull(),
    place: text('place').$type<RecordedPlace>().notNull(),
    tool: text('tool').notNull(),
    input: jsonb('input').$type<unknown>().notNull(),
    hasSideEffects: boolean('has_side_effects').notNull(),
    /** Milliseconds; null for none. */
    timeoutMs: bigint('timeout_ms', { mode: 'number' }),
    /** The client that makes it; null if none has begun. */
    claimedBy: text('claimed_by'),
    /** When that client last said that it is there. */
    seenAt: timestamp('seen_at', { withTimezone: true }),
    /** What it returned, or if it failed why. */
    result: jsonb('result').$type<unknown>(),
    failed: boolean('failed').notNull().default(false),
    createdAt: createdAt(),
    endedAt: endedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.id] }),
    index('outside_calls_open').on(table.runId).where(sql`${table.endedAt} is null`),
  ],
);
