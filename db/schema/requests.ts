import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Answerer, RequestAnswer, RequestKind } from '../../domain/permissions/request.ts';
import { createdAt } from './columns.ts';
import { ofOwner } from './runs.ts';

/** What waits, or waited, for a person: the inbox. */
export const requests = pgTable(
  'requests',
  {
    /** Derived from what is asked for, so that asking again does not repeat it; short, since a person types it. */
    id: text('id').primaryKey(),
    ...ofOwner(),
    kind: text('kind').$type<RequestKind>().notNull(),
    /** A sentence. */
    asked: text('asked').notNull(),
    /** The files or the call. */
    items: jsonb('items').$type<string[]>().notNull(),
    /** Which rule asks, and whose it is; null if the work itself needs a person. */
    rule: text('rule'),
    sessionId: text('session_id'),
    feature: text('feature'),
    deadlineAt: timestamp('deadline_at', { withTimezone: true }),
    defaultAnswer: text('default_answer').$type<'yes' | 'no'>().notNull(),
    /** Null while it waits, and if it was withdrawn. */
    answer: text('answer').$type<RequestAnswer>(),
    answeredBy: text('answered_by').$type<Answerer>(),
    reason: text('reason'),
    answeredAt: timestamp('answered_at', { withTimezone: true }),
    /** The call of a chat that its yes was used for. */
    usedBy: text('used_by'),
    createdAt: createdAt(),
  },
  (table) => [
    index('requests_open').on(table.createdAt).where(sql`${table.answeredBy} is null`),
    index('requests_session').on(table.sessionId),
    check('requests_owner', sql`num_nonnulls(${table.projectId}, ${table.chatId}, ${table.agentRunId}) = 1`),
  ],
);
