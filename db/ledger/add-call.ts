import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { usage } from '../schema/usage.ts';
import { type Statement, statementOf } from '../statement.ts';

export type NewCall = typeof usage.$inferInsert & { id: string };

/**
 * The statement that puts a call in the ledger. Done again, it changes nothing; what is known of a call goes before its having been lost.
 * A second call that answered the same is refused by Postgres (`isAlreadyThere`): it is `UNUSED`.
 */
export function insertCall(query: Queryable, call: NewCall) {
  const row = { outcome: 'ANSWERED', ...call };
  return query
    .insert(usage)
    .values(row)
    .onConflictDoUpdate({
      target: usage.id,
      set: { ...row, createdAt: sql`now()` },
      setWhere: eq(usage.outcome, 'LOST'),
    });
}

/** The same as a statement that is written once, for what is done in each turn. */
export function callStatement(call: NewCall): Statement {
  return writtenCall({ ...unknown, ...call });
}

/** Of a call of which no more is said: what its columns have then. */
const unknown = {
  runId: null,
  turn: 0,
  summaryUpTo: -1,
  purpose: 'answer',
  outcome: 'ANSWERED',
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  costUsd: null,
  attempt: 1,
  firstTokenMs: null,
  durationMs: null,
  requestId: null,
} as const;

const writtenCall = statementOf<NewCall>((query, value) => {
  const names = ['id', 'model', ...Object.keys(unknown)] as Array<keyof typeof unknown>;
  return insertCall(query, Object.fromEntries(names.map((name) => [name, value[name]])) as never);
});

/** Puts in a call of which nothing but its having been made is known, unless it is there. */
export async function addLostCall(query: Queryable, call: NewCall): Promise<void> {
  await query
    .insert(usage)
    .values({ ...call, outcome: 'LOST' })
    .onConflictDoNothing();
}
