import { boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { MadeTool, MadeToolLanguage } from '../../domain/tool/made-tool.ts';
import type { Refusal } from '../../domain/tool/refusal.ts';
import { count, createdAt } from './columns.ts';

/** Versions of made tools; only ever added, so that runs can refer to the version that they were offered. */
export const madeToolVersions = pgTable(
  'made_tool_versions',
  {
    /** Chosen by whoever adds it, so that a retry adds it only once. */
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** From 1 for each name; 0 for a tool from an agent's own folder. */
    version: integer('version').notNull(),
    description: text('description').notNull(),
    parameters: jsonb('parameters').$type<Record<string, unknown>>().notNull(),
    language: text('language').$type<MadeToolLanguage>().notNull(),
    code: text('code').notNull(),
    tests: text('tests').notNull(),
    /** The run that made it, `agent <name>`, or `person`. */
    author: text('author').notNull(),
    uses: count('uses'),
    failures: count('failures'),
    lastError: text('last_error'),
    lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
    createdAt: createdAt(),
  },
  (table) => [index('made_tool_versions_name').on(table.name, table.version)],
);

/** The existing made tools, each in its present version. */
export const madeTools = pgTable(
  'made_tools',
  {
    name: text('name').primaryKey(),
    versionId: text('version_id')
      .notNull()
      .references(() => madeToolVersions.id),
    /** Whether it is offered to runs. */
    enabled: boolean('enabled').notNull().default(true),
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('made_tools_version').on(table.versionId)],
);

/** Tools that a person submitted for validation, until the client has read the outcome. */
export const madeToolCandidates = pgTable('made_tool_candidates', {
  /** The id of the workflow that validates it. */
  id: text('id').primaryKey(),
  tool: jsonb('tool').$type<MadeTool>().notNull(),
  /** Null until it was validated; empty if it is accepted. */
  refusals: jsonb('refusals').$type<Refusal[]>(),
  createdAt: createdAt(),
});
