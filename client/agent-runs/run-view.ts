import type { AgentRunRow } from '../../db/agent-runs/agent-runs.ts';
import { type HostedAgentRow, hostTimeout } from '../../db/agent-runs/hosted-agents.ts';
import type { AgentMessage, Artifacts, RunUsage } from '../../domain/agent-run/message.ts';
import { type AgentRunStatus, hasEnded } from '../../domain/agent-run/status.ts';

/** A run of a user's own agent, as it is now. */
export interface RunView {
  id: string;
  agent: string;
  version: string;
  status: AgentRunStatus;
  /** The number of the present try, from 1; 0 until it begins. */
  attempts: number;
  /** How many events are stored. */
  eventCount: number;
  input: AgentMessage[];
  params: unknown;
  metadata: Record<string, unknown>;
  conversationId?: string;
  parentRunId?: string;
  /** The run that it repeats. */
  retryOf?: string;
  /** What has to be there for it to go on: a person's answer, a client, a process that hosts its agent, a model's server. */
  waitsFor?: string;
  /** Why it failed, was cancelled or timed out. */
  reason?: string;
  createdAt: Date;
  startedAt?: Date;
  endedAt?: Date;
}

/** What a run that succeeded brought. */
export interface RunResult<Output = unknown> {
  runId: string;
  output: Output;
  /** The whole conversation, if the agent returned it. */
  finalMessages?: AgentMessage[];
  artifacts: Artifacts;
  /** Of this run alone: runs that it started, such as those of agents as its tools, have their own. */
  usage: RunUsage;
}

export function toRunView(
  row: AgentRunRow,
  now: { hosted?: Pick<HostedAgentRow, 'seenAt'> | undefined; waitsFor?: string | undefined } = {},
): RunView {
  const { hosted } = now;
  const waitsFor = now.waitsFor ?? (hosted && isGone(hosted) ? describeHost(row) : undefined);
  const { id, agent, version, status, attempts, eventCount, input, params, metadata, createdAt } = row;
  return {
    ...{ id, agent, version, status, attempts, eventCount, input, params, metadata, createdAt },
    ...(row.conversationId !== null && { conversationId: row.conversationId }),
    ...(row.parentId !== null && { parentRunId: row.parentId }),
    ...(row.retryOf !== null && { retryOf: row.retryOf }),
    ...(waitsFor !== undefined && !hasEnded(status) && { waitsFor }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.startedAt && { startedAt: row.startedAt }),
    ...(row.endedAt && { endedAt: row.endedAt }),
  };
}

function isGone({ seenAt }: Pick<HostedAgentRow, 'seenAt'>): boolean {
  return Date.now() - seenAt.getTime() > hostTimeout;
}

function describeHost({ agent, version }: AgentRunRow): string {
  return `a process that hosts the agent "${agent}" in the version ${version}: \`longhaul agents work\`, or \`work()\` of a program`;
}
