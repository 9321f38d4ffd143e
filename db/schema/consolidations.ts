import { boolean, doublePrecision, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { ConsolidationStatus, MemoryChangeKind, MemoryChangeStatus } from '../consolidation/status.ts';
import { count, createdAt, endedAt } from './columns.ts';

/** A look through the memories for what repeats and what could be summarized. */
export const consolidations = pgTable('memory_consolidations', {
  /** Chosen by its workflow. */
  id: text('id').primaryKey(),
  /** The project whose memories it was for; null for all. */
  projectId: text('project_id'),
  /** It only proposes. */
  dryRun: boolean('dry_run').notNull(),
  /** Memories that were written since are looked at; null for all. */
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

/** What a consolidation changes in the memories, or proposes to. The memories themselves are in LanceDB. */
export const memoryChanges = pgTable(
  'memory_changes',
  {
    /** Made from what it is about, so that it is found again by whoever comes upon the same. */
    id: text('id').primaryKey(),
    consolidationId: text('consolidation_id')
      .notNull()
      .references(() => consolidations.id),
    kind: text('kind').$type<MemoryChangeKind>().notNull(),
    status: text('status').$type<MemoryChangeStatus>().notNull(),
    /** The memory that stays, or the summary's. */
    memoryId: text('memory_id').notNull(),
    /** The memories that it takes the place of, or sums up. */
    sources: text('sources').array().notNull(),
    /** Those of the sources' tags that the memory that stays had not. */
    tagsAdded: text('tags_added').array().notNull().default([]),
    /** The summary, and the model that wrote it. */
    text: text('text'),
    model: text('model'),
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    costUsd: doublePrecision('cost_usd'),
    /** The summary takes the place of its sources. */
    replaces: boolean('replaces').notNull().default(false),
    createdAt: createdAt(),
    /** When it came to its status. */
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('memory_changes_consolidation').on(table.consolidationId, table.status),
    index('memory_changes_memory').on(table.memoryId),
    index('memory_changes_sources').using('gin', table.sources),
  ],
);
