import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Proposal } from '../../domain/project/proposal.ts';
import type { ProjectSettings } from '../../domain/project/settings.ts';
import type { ProjectStatus } from '../../domain/project/statuses.ts';
import { createdAt, endedAt } from './columns.ts';

export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    goal: text('goal').notNull(),
    folder: text('folder').notNull(),
    branch: text('branch').notNull(),
    status: text('status').$type<ProjectStatus>().notNull(),
    statusReason: text('status_reason'),
    settings: jsonb('settings').$type<ProjectSettings>().notNull(),
    summary: text('summary'),
    smokeCheck: text('smoke_check'),
    lineageId: text('lineage_id').notNull(),
    /** The last sequence number given to a row of this project, across all its lineages. */
    sequence: bigint('sequence', { mode: 'number' }).notNull().default(0),
    eventCount: bigint('event_count', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    endedAt: endedAt(),
  },
  (table) => [index('projects_folder').on(table.folder)],
);

/** What an initializer or a person proposed; a person's proposal is written before the project's own row. */
export const proposals = pgTable('proposals', {
  projectId: text('project_id').primaryKey(),
  proposal: jsonb('proposal').$type<Proposal>().notNull(),
  createdAt: createdAt(),
});

/** The folder that a person named for a project, written by the client before the project's workflow starts; a worker opens no other. */
export const startRequests = pgTable('start_requests', {
  projectId: text('project_id').primaryKey(),
  folder: text('folder').notNull(),
  createdAt: createdAt(),
});

export const lineages = pgTable('lineages', {
  id: text('id').primaryKey(),
  projectId: text('project_id')
    .notNull()
    .references(() => projects.id),
  parentId: text('parent_id'),
  /** The parent's rows up to and including this sequence number belong to this lineage too. */
  parentSequence: bigint('parent_sequence', { mode: 'number' }),
  checkpointId: text('checkpoint_id'),
  /** The ref that preserves the head that the revert left behind. */
  keptRef: text('kept_ref'),
  reason: text('reason'),
  createdAt: createdAt(),
});

/** Every ancestor of each lineage, itself included, and the last sequence number inherited from it. */
export const lineageRanges = pgTable(
  'lineage_ranges',
  {
    lineageId: text('lineage_id').notNull(),
    ancestorId: text('ancestor_id').notNull(),
    upToSequence: bigint('up_to_sequence', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.lineageId, table.ancestorId] })],
);
