export const agentRunStatuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;
/** Of a run of a user's own agent. */
export type AgentRunStatus = (typeof agentRunStatuses)[number];

/** In one of these, a run has ended; a retry makes a new one. */
const endStatuses: ReadonlySet<AgentRunStatus> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

export function hasEnded(status: AgentRunStatus): boolean {
  return endStatuses.has(status);
}
