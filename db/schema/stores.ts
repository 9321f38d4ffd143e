import {
  bigint,
  customType,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import type { ErrorSeverity } from '../../domain/stores/audit.ts';
import { createdAt } from './columns.ts';

/** Text in the order of its code points, whatever the database's language. */
const ordered = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** A value by its owner and key. */
const entryColumns = () => ({
  /** `global`, `project:<id>` and so on. */
  owner: text('owner').notNull(),
  key: ordered('key').notNull(),
  /** As JSON, in text: `jsonb` refuses some characters and reorders keys. */
  value: text('value').notNull(),
  /** Random, so that a deleted entry that was written again differs. */
  version: text('version').notNull(),
  createdAt: createdAt(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

/** Values that programs and agents keep by key. */
export const memoryEntries = pgTable('memory_entries', entryColumns(), (table) => [
  primaryKey({ columns: [table.owner, table.key] }),
]);

export const preferences = pgTable('preferences', entryColumns(), (table) => [
  primaryKey({ columns: [table.owner, table.key] }),
]);

/** A row of the audit and whom it concerns. */
const auditColumns = () => ({
  /** Chosen by the caller, so that a retry adds it only once. */
  id: text('id').primaryKey(),
  /** The order of writing. */
  number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity(),
  person: text('person'),
  projectId: text('project_id'),
  conversationId: text('conversation_id'),
  runId: text('run_id'),
  createdAt: createdAt(),
});

/** What was done, and by whom. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    ...auditColumns(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject'),
    /** As JSON, in text. */
    details: text('details').notNull(),
  },
  (table) => [index('audit_entries_number').on(table.number)],
);

/** What went wrong, and how it was resolved. */
export const errorRecords = pgTable(
  'error_records',
  {
    ...auditColumns(),
    severity: text('severity').$type<ErrorSeverity>().notNull(),
    type: text('type').notNull(),
    message: text('message').notNull(),
    stack: text('stack'),
    /** As JSON, in text. */
    details: text('details').notNull(),
    /** Null while it is open. */
    resolution: text('resolution'),
    resolvedBy: text('resolved_by'),
    resolvedAt: timestamp('resolved_at', { withTimezone: true }),
  },
  (table) => [index('error_records_number').on(table.number)],
);

/** Measured values. */
export const metrics = pgTable(
  'metrics',
  {
    ...auditColumns(),
    name: text('name').notNull(),
    value: doublePrecision('value').notNull(),
    unit: text('unit'),
    labels: jsonb('labels').$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [index('metrics_name').on(table.name, table.createdAt)],
);
