import { createHash } from 'node:crypto';
import { AgentError } from '../../../agents/runtime/agent-error.ts';
import { type AgentRunRow, createAgentRun, findByKey, readAgentRun } from '../../../db/agent-runs/agent-runs.ts';
import { findHostedAgent, listHostedKeys } from '../../../db/agent-runs/hosted-agents.ts';
import type { Queryable } from '../../../db/connection/database.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { defaultLimitsOf } from '../../../domain/agent-run/run-request.ts';
import type { HostDependencies } from '../host-dependencies.ts';

/** Agents that call each other without end stop here; a task that is really divided so often is none. */
const maxDepth = 10;

/** A run that another run starts. */
export interface NewChild {
  /** Of the call that starts it, by which it is found again. */
  callId: string;
  agent: string;
  /** Asked for once, if there is no such run yet. */
  input(): Promise<AgentMessage[]>;
  params: unknown;
  metadata?: Record<string, unknown>;
  timeoutMs?: number | undefined;
  maxRetries?: number;
}

/**
 * Adds the run that a call starts, or finds it; its workflow is not started here.
 * @throws {AgentError} `UnknownAgent`, `CallFailed` if runs are nested too deep.
 */
export function createOpenChild({ database }: Pick<HostDependencies, 'database'>) {
  return async (parentId: string, { callId, agent, input, params, ...options }: NewChild): Promise<AgentRunRow> => {
    const found = await findByKey(database, agent, callId);
    if (found) return found;
    const parent = await readAgentRun(database, parentId);
    await expectDepth(database, parent);
    const hosted = await findHostedAgent(database, agent);
    if (!hosted) {
      const known = (await listHostedKeys(database)).join(', ') || 'none';
      throw new AgentError(
        'UnknownAgent',
        `Expected the key of an agent that a process hosts or has hosted (${known}), got "${agent}".`,
      );
    }
    const { version, kind, queue, declaration } = hosted;
    return createAgentRun(database, {
      id: `${agent}-${createHash('sha256').update(callId).digest('hex').slice(0, 12)}`,
      ...{ agent, version, kind, queue, status: 'QUEUED', params, parentId, idempotencyKey: callId, retryOf: null },
      input: await input(),
      metadata: options.metadata ?? parent.metadata,
      limits: { ...defaultLimitsOf(kind), ...declaration.limits },
      ...{ priority: parent.priority, conversationId: parent.conversationId, backoffMs: 1000 },
      ...{ timeoutMs: options.timeoutMs ?? null, maxRetries: options.maxRetries ?? 0 },
    });
  };
}

async function expectDepth(query: Queryable, run: AgentRunRow): Promise<void> {
  let { parentId } = run;
  for (let depth = 1; parentId !== null; depth += 1) {
    if (depth >= maxDepth) {
      throw new AgentError('CallFailed', `Agents may call each other at most ${maxDepth} deep. Do the task here.`);
    }
    parentId = (await readAgentRun(query, parentId)).parentId;
  }
}
