import type { Queryable } from '../connection/database.ts';
import { toolCalls } from '../schema/runs.ts';

/** Notes that a tool call begins. False if an earlier attempt noted it, which may have done what it asks for. */
export async function beginToolCall(
  query: Queryable,
  { runId, turn, position, name }: { runId: string; turn: number; position: number; name: string },
): Promise<boolean> {
  const begun = await query
    .insert(toolCalls)
    .values({ runId, turn, position, name })
    .onConflictDoNothing()
    .returning({ turn: toolCalls.turn });
  return begun.length > 0;
}
