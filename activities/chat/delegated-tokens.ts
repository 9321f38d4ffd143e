import { delegateRoleOf } from '../../agents/delegate-definition.ts';
import type { Queryable } from '../../db/connection/database.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import { delegateRunId } from '../../domain/run/delegation.ts';

/** Tokens that a chat's call used by delegating to another agent; they count towards what the message may take. */
export async function readDelegatedTokens(
  query: Queryable,
  { tool, callId }: { tool: string; callId: string },
): Promise<{ tokens?: number }> {
  if (delegateRoleOf(tool) === undefined) return {};
  const { inputTokens, outputTokens } = await sumUsage(query, { runId: delegateRunId(callId) });
  return { tokens: inputTokens + outputTokens };
}
