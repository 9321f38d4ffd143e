import { type AgentRunRow, readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { readAllOperations } from '../../db/agent-runs/operations.ts';
import type { Queryable } from '../../db/connection/database.ts';
import { readMessages } from '../../db/transcript/transcript.ts';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import type { RunRecord } from '../../domain/agent-run/run-record.ts';
import { hasEnded } from '../../domain/agent-run/status.ts';
import { scrubAll } from '../../domain/secrets/scrub.ts';
import { ClientError } from '../errors.ts';

/**
 * All that a run was given, asked for and got, scrubbed of secrets.
 * @throws {ClientError} `InvalidInput` if the run has not ended.
 */
export async function readRunRecord(query: Queryable, runId: string): Promise<RunRecord> {
  const run = await readAgentRun(query, runId);
  if (!hasEnded(run.status)) {
    throw new ClientError(
      'InvalidInput',
      `Expected the run ${runId} to have ended, it is ${run.status}. Wait for its result first.`,
    );
  }
  const operations = await readAllOperations(query, runId);
  const { agent, kind, input, params, metadata, status, output, reason } = run;
  return scrubAll({
    format: 'longhaul-run-1',
    ...{ runId, agent, kind, input, params: params ?? null, metadata },
    operations: operations.map(({ kind, name, scope, key, result }) => ({ kind, name, scope, key, result })),
    ...(kind === 'declared' && { messages: await readConversation(query, run) }),
    ...{ status, output: output ?? null, ...(reason !== null && { reason }) },
  });
}

async function readConversation(query: Queryable, { id }: AgentRunRow): Promise<AgentMessage[]> {
  const stored = await readMessages(query, id);
  return stored.map(({ role, content: { text, toolCalls, toolCallId } }) => ({
    ...{ role, content: text },
    ...(toolCalls?.length && { toolCalls }),
    ...(toolCallId !== undefined && { toolCallId }),
  }));
}
