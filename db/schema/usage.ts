import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CallOutcome, CallPurpose } from '../../domain/model/model-call.ts';
import { createdAt } from './columns.ts';
import { runs } from './runs.ts';

/** The ledger: one row for each HTTP call of a model, whatever its outcome. For tokens and dollars, null means unknown, which is not 0. */
export const usage = pgTable(
  'usage',
  {
    /** Chosen when the call is made, so that recording it again adds nothing. */
    id: text('id').primaryKey().default(sql`gen_random_uuid()::text`),
    /** Null for a call outside any run: one that embeds texts or summarizes memories. */
    runId: text('run_id').references(() => runs.id),
    /** 0 for a call outside any run. */
    turn: integer('turn').notNull().default(0),
    /** For a summary, the last message that it covers; -1 for the call that answers the turn, and less for those that extract memories from it. */
    summaryUpTo: integer('summary_up_to').notNull().default(-1),
    purpose: text('purpose').$type<CallPurpose>().notNull().default('answer'),
    outcome: text('outcome').$type<CallOutcome>().notNull().default('ANSWERED'),
    model: text('model').notNull(),
    inputTokens: integer('input_tokens'),
    cachedTokens: integer('cached_tokens'),
    outputTokens: integer('output_tokens'),
    /** Part of `outputTokens`. */
    reasoningTokens: integer('reasoning_tokens'),
    /** Whether the provider's counts were impossible, so that these are our own estimate. */
    estimated: boolean('estimated').notNull().default(false),
    /** By the prices of that day; null if the model has no price, which does not mean free, or if the tokens are unknown. */
    costUsd: doublePrecision('cost_usd'),
    /** The attempt of the activity that made the call, from 1. */
    attempt: integer('attempt').notNull().default(1),
    /** Milliseconds to the first piece of the answer. */
    firstTokenMs: integer('first_token_ms'),
    /** Milliseconds from the request to the end of the answer, or to the failure; null if nobody saw that end. */
    durationMs: integer('duration_ms'),
    /** The provider's id of the request. */
    requestId: text('request_id'),
    /** When the call ended. */
    createdAt: createdAt(),
  },
  (table) => [
    // A turn, a summary and a step of an extraction each have one answer that counts.
    uniqueIndex('usage_answer')
      .on(table.runId, table.turn, table.summaryUpTo)
      .where(sql`${table.outcome} = 'ANSWERED'`),
    index('usage_run').on(table.runId, table.turn),
  ],
);
