import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AgentRunRow, createAgentRun } from '../../db/agent-runs/agent-runs.ts';
import {
  findHostedAgent,
  findVersion,
  type HostedAgentRow,
  listHostedKeys,
} from '../../db/agent-runs/hosted-agents.ts';
import { toRunRequest } from '../../db/agent-runs/to-run-request.ts';
import type { Queryable } from '../../db/connection/database.ts';
import { type AgentRunRequest, defaultLimitsOf } from '../../domain/agent-run/run-request.ts';
import { preview } from '../../domain/storable-text.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import { ClientError } from '../errors.ts';
import type { RunDependencies } from './create-run-handle.ts';
import { checkRun, type RunInput, type RunOptions } from './run-options.ts';

/** The agent to run: a certain version of that key if it was ever hosted, else the latest. */
export interface AgentReference {
  key: string;
  version?: string | undefined;
}

/**
 * Starts a run and returns its id; a second start with the same idempotency key returns that of the first.
 * @throws {ClientError} `InvalidInput`, also if no process ever hosted the agent; `NoWorker`
 * @throws {DatabaseError} `RunExists`
 */
export async function startRun(
  deps: RunDependencies,
  agent: AgentReference,
  input: RunInput,
  options: RunOptions = {},
  retryOf?: string,
): Promise<string> {
  const row = await insertRun(deps.database, agent, input, options, retryOf);
  await startWorkflow(deps, row);
  return row.id;
}

/**
 * Stores a run that is to be started; a second one with the same idempotency key is the first.
 * @throws {ClientError} `InvalidInput`, also if that has another input; {DatabaseError} `RunExists`
 */
export async function insertRun(
  database: DatabaseAccess,
  agent: AgentReference,
  input: RunInput,
  options: RunOptions,
  retryOf?: string,
): Promise<AgentRunRow> {
  const checked = checkRun(input, options);
  const { maxRetries = 0, priority = 3, idempotencyKey, limits, parentRunId, metadata = {}, params } = options;
  return database.use(async (query) => {
    const { key, version, kind, queue, declaration } = await findAgent(query, agent);
    const row = await createAgentRun(query, {
      id: options.runId ?? `${key}-${randomBytes(6).toString('base64url').replaceAll(/[-_]/g, 'x')}`,
      ...{ agent: key, version, kind, queue, status: 'QUEUED', metadata, maxRetries, priority },
      ...{ input: checked.input, params: params ?? null, backoffMs: checked.backoffMs },
      limits: {
        ...defaultLimitsOf(kind),
        ...declaration.limits,
        ...limits,
      },
      ...{ timeoutMs: checked.timeoutMs ?? null, conversationId: options.conversationId ?? null },
      ...{ idempotencyKey: idempotencyKey ?? null, parentId: parentRunId ?? null, retryOf: retryOf ?? null },
    });
    const given = JSON.parse(JSON.stringify([checked.input, params ?? null])); // as it is stored
    if (isDeepStrictEqual([row.input, row.params], given)) return row;
    throw new ClientError(
      'InvalidInput',
      `The idempotency key "${idempotencyKey}" belongs to the run ${row.id}, which has another input. Give each input a key of its own.`,
    );
  });
}

async function findAgent(query: Queryable, { key, version }: AgentReference): Promise<HostedAgentRow> {
  const own = version === undefined ? undefined : await findVersion(query, { key, version });
  const found = own ?? (await findHostedAgent(query, key));
  if (found) return found;
  const known = (await listHostedKeys(query)).join(', ') || 'none';
  throw new ClientError(
    'InvalidInput',
    `Expected the key of an agent that a process hosts or has hosted (${known}), got "${key}". \`longhaul run <folder>\` or \`work()\` of a program hosts it.`,
  );
}

/** For people who look at the workflow. */
export function summaryOf({ agent, input }: Pick<AgentRunRow, 'agent' | 'input'>): string {
  return preview(`${agent}: ${input.at(-1)?.content ?? ''}`, 150);
}

/** Starts the workflow of a run, unless an earlier start has done so. */
async function startWorkflow({ temporal, taskQueue, expectWorker }: RunDependencies, row: AgentRunRow): Promise<void> {
  const { WorkflowExecutionAlreadyStartedError } = await import('../connection/temporal-client.ts');
  await temporal.use(async (client) => {
    await expectWorker(client);
    try {
      await client.workflow.start<(request: AgentRunRequest) => Promise<void>>('agentRunWorkflow', {
        ...{ workflowId: row.id, taskQueue, args: [toRunRequest(row)], priority: { priorityKey: row.priority } },
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: summaryOf(row),
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  });
}
