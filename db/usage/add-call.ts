import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { type Statement, statementOf } from '../connection/statement.ts';
import { usage } from '../schema/usage.ts';

export type NewCall = typeof usage.$inferInsert & { id: string };

/**
 * The statement that records a call in the ledger. Repeating it changes nothing, except that it completes a call recorded as `LOST`. Postgres refuses
 * a second answer to the same request (`isAlreadyThere`), which is to be recorded as `UNUSED`.
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

/** The same as a statement that is built once, for what is done in each turn. */
export function callStatement(call: NewCall): Statement {
  return writtenCall({ ...unknown, ...call });
}

/** Column values of a call of which no more is known. */
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

/** Records a call of which only its having been made is known, unless it is recorded already. */
export async function addLostCall(query: Queryable, call: NewCall): Promise<void> {
  await query
    .insert(usage)
    .values({ ...call, outcome: 'LOST' })
    .onConflictDoNothing();
}
