import { z } from 'zod';
import type { Agent } from '../../agents/runtime/definition/define-agent.ts';
import { type AgentRunFilter, listAgentRuns, readAgentRun, resolveAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { readWaits } from '../../db/agent-runs/read-waits.ts';
import { agentRunStatuses, hasEnded } from '../../domain/agent-run/status.ts';
import { describeMisfit } from '../../domain/describe-issue.ts';
import { ClientError } from '../errors.ts';
import { createRunHandle, type RunDependencies } from './create-run-handle.ts';
import type { RunHandle } from './run-handle.ts';
import type { RunInput, RunOptions } from './run-options.ts';
import { type RunResult, type RunView, toRunView } from './run-view.ts';
import { startRun } from './start-run.ts';

/** An agent: its key, of which the latest version that a process hosts runs, or the agent itself. */
export type AgentOrKey<Output = unknown> = string | Agent<Output>;

/** Runs of users' own agents. */
export interface AgentRuns {
  /**
   * Starts a run.
   * @throws {ClientError} `InvalidInput`, also if no process ever hosted the agent; `NoWorker`
   * @throws {DatabaseError} `RunExists`
   */
  start<Output = unknown>(agent: AgentOrKey<Output>, input: RunInput, options?: RunOptions): Promise<RunHandle<Output>>;
  /**
   * Starts a run and waits for its result.
   * @throws {RunFailedError} if it failed, was cancelled or timed out; and what `start` throws.
   */
  run<Output = unknown>(agent: AgentOrKey<Output>, input: RunInput, options?: RunOptions): Promise<RunResult<Output>>;
  /**
   * The run with this id, or start of an id.
   * @throws {DatabaseError} `UnknownRun`
   */
  find<Output = unknown>(reference: string): Promise<RunHandle<Output>>;
  /** Newest first, 50 unless `limit` says otherwise. */
  list(filter?: AgentRunFilter): Promise<RunView[]>;
  /**
   * Starts a run that has ended again as a new one: the latest version of its agent, with the same input and options.
   * @throws {DatabaseError} `UnknownRun`; {ClientError} `InvalidInput` if it has not ended
   */
  retry<Output = unknown>(reference: string): Promise<RunHandle<Output>>;
}

export function createAgentRuns(deps: RunDependencies): AgentRuns {
  const { database } = deps;
  async function start<Output>(agent: AgentOrKey<Output>, input: RunInput, options: RunOptions = {}) {
    expectAgent(agent);
    const reference = typeof agent === 'string' ? { key: agent } : { key: agent.key, version: agent.version };
    return createRunHandle<Output>(deps, await startRun(deps, reference, input, options));
  }
  return {
    start,
    run: async (agent, input, options) => (await start(agent, input, options)).result(),
    find: async (reference) =>
      createRunHandle(deps, (await database.use((query) => resolveAgentRun(query, expectReference(reference)))).id),
    async list(filter = {}) {
      expectFilter(filter);
      const rows = await database.use((query) => listAgentRuns(query, filter));
      const ids = rows.map(({ id }) => id);
      const waits = await database.use((query) => readWaits(query, ids));
      return rows.map((row) => toRunView(row, { waitsFor: waits.get(row.id) }));
    },
    async retry(reference) {
      const { id } = await database.use((query) => resolveAgentRun(query, expectReference(reference)));
      const row = await database.use((query) => readAgentRun(query, id));
      if (!hasEnded(row.status)) {
        throw new ClientError(
          'InvalidInput',
          `Expected a run that has ended, but ${id} is ${row.status}. Wait for its end, or cancel it first.`,
        );
      }
      const { agent, input, params, metadata, conversationId, timeoutMs, maxRetries, backoffMs, priority, limits } =
        row;
      const options: RunOptions = {
        ...{ metadata, maxRetries, priority, limits, backoff: backoffMs },
        ...(params !== null && { params }),
        ...(conversationId !== null && { conversationId }),
        ...(timeoutMs !== null && { timeout: timeoutMs }),
      };
      return createRunHandle(deps, await startRun(deps, { key: agent }, input, options, id));
    },
  };
}

/** @throws {ClientError} `InvalidInput` if it is neither an agent nor a key. */
export function expectAgent(agent: unknown): void {
  if (typeof agent === 'string' || typeof (agent as Agent | null | undefined)?.key === 'string') return;
  throw new ClientError(
    'InvalidInput',
    `Expected an agent from defineAgent, or the key of one, got ${agent === null ? 'null' : typeof agent}.`,
  );
}

function expectReference(reference: unknown): string {
  if (typeof reference === 'string') return reference;
  throw new ClientError('InvalidInput', `Expected the id of a run, or how it begins, got ${typeof reference}.`);
}

const filterSchema = z.strictObject({
  agent: z.string().optional(),
  status: z.enum(agentRunStatuses).optional(),
  parentId: z.string().optional(),
  limit: z.int().min(0).optional(),
});

function expectFilter(filter: AgentRunFilter): void {
  const misfit = describeMisfit(filterSchema, filter);
  if (misfit !== undefined) throw new ClientError('InvalidInput', `Runs cannot be listed:\n${misfit}`);
}
