import { eq, sql } from 'drizzle-orm';
import { statementOf } from '../connection/statement.ts';
import { runs } from '../schema/runs.ts';

/** Sets how many turns a run has taken. */
export const turnsStatement = statementOf<{ runId: string; turn: number }>((query, { runId, turn }) =>
  query
    .update(runs)
    .set({ turns: sql`${turn}` })
    .where(eq(runs.id, runId)),
);
