import type { z } from 'zod';
import { AgentError } from '../../../agents/runtime/agent-error.ts';
import { checkValue } from '../../../agents/runtime/tools/check-value.ts';
import type { AgentRunRow } from '../../../db/agent-runs/agent-runs.ts';

/**
 * What a called agent's run brought.
 * @throws {AgentError} `CallFailed`, `InvalidValue` if its result is not what the caller expects.
 */
export async function childResult(
  { id, agent, status, reason, output }: AgentRunRow,
  schema: z.ZodType | undefined,
): Promise<unknown> {
  if (status !== 'SUCCEEDED') {
    const how = status === 'CANCELLED' ? 'was cancelled' : status === 'TIMED_OUT' ? 'timed out' : 'failed';
    throw new AgentError('CallFailed', `The run ${id} of the agent ${agent} ${how}: ${reason ?? ''}`);
  }
  return schema ? checkValue(schema, output, `The result of the agent "${agent}"`) : output;
}
