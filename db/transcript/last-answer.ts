import { eq, sql } from 'drizzle-orm';
import { endOfRun } from '../chats/branch-ranges.ts';
import type { Queryable } from '../connection/database.ts';
import { runs } from '../schema/runs.ts';
import { lastWords } from './whole-answers.ts';

/** What a run's agent said last, without white space around it; empty if it said nothing. */
export async function readLastAnswer(query: Queryable, runId: string): Promise<string> {
  const [run] = await query
    .select({ said: lastWords(runs.id, sql`0`, sql`${endOfRun}::int`) })
    .from(runs)
    .where(eq(runs.id, runId));
  return run?.said.trim() ?? '';
}
