import { sql } from 'drizzle-orm';
import { doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CallOutcome, CallPurpose } from '../ledger/call.ts';
import { createdAt } from './columns.ts';
import { runs } from './runs.ts';

/** The ledger: one row for each HTTP call of a model, whatever came of it. Of tokens and dollars null is unknown, which is not 0. */
export const usage = pgTable(
  'usage',
  {
    /** Chosen when the call was made, so that to write it again adds nothing. */
    id: text('id').primaryKey().default(sql`gen_random_uuid()::text`),
    /** Null for a call of no run: one that embedded texts, or that summarized memories. */
    runId: text('run_id').references(() => runs.id),
    /** 0 where it is of no run. */
    turn: integer('turn').notNull().default(0),
    /**
     * The last message that the call summarized, before its turn; -1 for the call that answered the turn, and less for those that looked
     * for what to remember of it.
     */
    summaryUpTo: integer('summary_up_to').notNull().default(-1),
    purpose: text('purpose').$type<CallPurpose>().notNull().default('answer'),
    outcome: text('outcome').$type<CallOutcome>().notNull().default('ANSWERED'),
    model: text('model').notNull(),
    inputTokens: integer('input_tokens'),
    cachedTokens: integer('cached_tokens'),
    outputTokens: integer('output_tokens'),
    /** Of the output. */
    reasoningTokens: integer('reasoning_tokens'),
    /** By the prices of its day; null where the model has no price, which is not free, or where the tokens are not known. */
    costUsd: doublePrecision('cost_usd'),
    /** The activity's attempt that made the call, from 1. */
    attempt: integer('attempt').notNull().default(1),
    /** Milliseconds to the first piece of the answer. */
    firstTokenMs: integer('first_token_ms'),
    /** Milliseconds from request to the whole answer, or to its end without one; null where nobody saw that end. */
    durationMs: integer('duration_ms'),
    /** The provider's id of the request. */
    requestId: text('request_id'),
    /** When the call was over. */
    createdAt: createdAt(),
  },
  (table) => [
    // A turn, a summary and a look at a turn have one answer each that counts.
    uniqueIndex('usage_answer')
      .on(table.runId, table.turn, table.summaryUpTo)
      .where(sql`${table.outcome} = 'ANSWERED'`),
    index('usage_run').on(table.runId, table.turn),
  ],
);
