import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { usage } from '../schema/usage.ts';

export type NewCall = typeof usage.$inferInsert & { id: string };

/**
 * Records a call. Repeating it changes nothing, except that it completes a call recorded as `LOST`. Postgres refuses
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

/** Records a call of which nothing is known but that it was made, unless it is already recorded. */
export async function addLostCall(query: Queryable, call: NewCall): Promise<void> {
  await query
    .insert(usage)
    .values({ ...call, outcome: 'LOST' })
    .onConflictDoNothing();
}
