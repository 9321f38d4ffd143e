import type { AgentRunRequest } from '../../domain/agent-run/run-request.ts';
import type { AgentRunRow } from './agent-runs.ts';

/** The start of a run's workflow. */
export function toRunRequest(row: AgentRunRow): AgentRunRequest {
  const { id: runId, agent, kind, queue, timeoutMs, maxRetries, backoffMs, limits } = row;
  return { runId, agent, kind, queue, maxRetries, backoffMs, limits, ...(timeoutMs !== null && { timeoutMs }) };
}
