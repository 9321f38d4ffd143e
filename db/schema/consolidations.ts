import { boolean, doublePrecision, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { ConsolidationStatus, MemoryChangeKind, MemoryChangeStatus } from '../../domain/memory/consolidation.ts';
import { count, createdAt, endedAt } from './columns.ts';

/** A pass over the memories for repetitions and for what could be summarized. */
export const consolidations = pgTable('memory_consolidations', {
  /** Chosen by its workflow. */
  id: text('id').primaryKey(),
  /** The project whose memories it covered; null for all. */
  projectId: text('project_id'),
  /** Whether it only proposes changes. */
  dryRun: boolean('dry_run').notNull(),
  /** Only memories written since then are considered; null for all. */
  since: timestamp('since', { withTimezone: true }),
  workflowId: text('workflow_id').notNull(),
  workflowRunId: text('workflow_run_id').notNull(),
  status: text('status').$type<ConsolidationStatus>().notNull().default('running'),
  /** Why it failed, or what it had to leave out. */
  remark: text('remark'),
  looked: count('looked'),
  createdAt: createdAt(),
  endedAt: endedAt(),
});

/** A change that a consolidation makes, or proposes, to the memories, which themselves are in LanceDB. */
export const memoryChanges = pgTable(
  'memory_changes',
  {
    /** Derived from what the change is about, so that the same change is recognised when it is found again. */
    id: text('id').primaryKey(),
    consolidationId: text('consolidation_id')
      .notNull()
      .references(() => consolidations.id),
    kind: text('kind').$type<MemoryChangeKind>().notNull(),
    status: text('status').$type<MemoryChangeStatus>().notNull(),
    /** The memory that stays, or the summary. */
    memoryId: text('memory_id').notNull(),
    /** The memories that it replaces or sums up. */
    sources: text('sources').array().notNull(),
    /** Tags of the sources that the remaining memory lacked. */
    tagsAdded: text('tags_added').array().notNull().default([]),
    /** The summary, and the model that wrote it. */
    text: text('text'),
    model: text('model'),
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    costUsd: doublePrecision('cost_usd'),
    /** Whether the summary supersedes its sources. */
    replaces: boolean('replaces').notNull().default(false),
    createdAt: createdAt(),
    /** When it reached its status. */
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('memory_changes_consolidation').on(table.consolidationId, table.status),
    index('memory_changes_memory').on(table.memoryId),
    index('memory_changes_sources').using('gin', table.sources),
  ],
);
