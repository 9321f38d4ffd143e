import { and, eq } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { toolCalls } from '../schema/runs.ts';

/** Whether a finished tool call failed. */
export async function readOutcome(
  query: Queryable,
  { runId, turn, position }: { runId: string; turn: number; position: number },
): Promise<{ failed: boolean }> {
  const [row] = await query
    .select({ failed: toolCalls.failed })
    .from(toolCalls)
    .where(and(eq(toolCalls.runId, runId), eq(toolCalls.turn, turn), eq(toolCalls.position, position)));
  return { failed: row?.failed ?? false };
}
