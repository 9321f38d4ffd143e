import { eq, sql } from 'drizzle-orm';
import { runs } from '../schema/runs.ts';
import { statementOf } from '../statement.ts';

/** Sets how many turns a run has taken. */
export const turnsStatement = statementOf<{ runId: string; turn: number }>((query, { runId, turn }) =>
  query
    .update(runs)
    .set({ turns: sql`${turn}` })
    .where(eq(runs.id, runId)),
);
