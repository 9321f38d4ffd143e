import { and, eq, lt, notInArray } from 'drizzle-orm';
import type { AgentMessage, Artifacts, OwnUsage } from '../../domain/agent-run/message.ts';
import type { AgentRunOutcome } from '../../domain/agent-run/run-request.ts';
import { type AgentRunStatus, agentRunStatuses, hasEnded } from '../../domain/agent-run/status.ts';
import type { RunAgent } from '../../domain/project/settings.ts';
import type { AgentRuntimeEventData } from '../../domain/run/event.ts';
import type { MessageContent } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { addEvents } from '../events/add-to-owner.ts';
import { withdrawRunRequests } from '../requests/run-requests.ts';
import { agentRuns } from '../schema/agent-runs.ts';
import { runs } from '../schema/runs.ts';
import { insertMessage } from '../transcript/transcript.ts';
import { type AgentRunRow, readAgentRun } from './agent-runs.ts';
import { endOutsideCallsOf } from './outside-calls.ts';

const ended = agentRunStatuses.filter(hasEnded);

/**
 * Marks a run's attempt as begun and returns the run as it then is; done again, it changes nothing. The first attempt gives the run its transcript,
 * which a declared agent, `agent`, begins with its instructions and the input.
 * @throws {DatabaseError} `UnknownRun`
 */
export async function beginAttempt(
  database: Database,
  { runId, attempt, model, agent }: { runId: string; attempt: number; model: string; agent?: RunAgent | undefined },
): Promise<AgentRunRow> {
  return database.transaction(async (query) => {
    const [begun] = await query
      .update(agentRuns)
      .set({ status: 'RUNNING', attempts: attempt, ...(attempt === 1 && { startedAt: new Date() }) })
      .where(and(eq(agentRuns.id, runId), lt(agentRuns.attempts, attempt), notInArray(agentRuns.status, ended)))
      .returning();
    if (!begun) return readAgentRun(query, runId);
    const owner = { kind: 'run' as const, id: runId };
    await addEvents(query, owner, [{ type: 'run.started', agent: begun.agent, attempt }]);
    if (attempt > 1) return begun;
    await query
      .insert(runs)
      .values({ id: runId, agentRunId: runId, role: 'agent', model, agent: agent ?? null, status: 'RUNNING' });
    if (agent) await writeFirstMessages(query, begun, agent.instructions);
    return begun;
  });
}

/** The first messages of a declared agent's transcript. */
async function writeFirstMessages(query: Queryable, { id: runId, input }: AgentRunRow, system: string): Promise<void> {
  const first = [{ role: 'system' as const, content: { text: system } as MessageContent }];
  const all = [
    ...first,
    ...input.map(({ role, content, toolCalls, toolCallId }) => ({
      role,
      content: { text: content, ...(toolCalls && { toolCalls }), ...(toolCallId && { toolCallId }) },
    })),
  ];
  await insertMessage(query, ...all.map((message, number) => ({ runId, number, turn: 0, ...message })));
}

/** What a run's end stores besides its status. */
export interface AgentRunResult {
  output: unknown;
  finalMessages?: AgentMessage[] | undefined;
  artifacts?: Artifacts | undefined;
  usage?: OwnUsage | undefined;
}

/** Keeps the result that a declared agent submitted; the run ends after it. */
export function keepOutput(query: Queryable, runId: string, output: unknown) {
  return query.update(agentRuns).set({ output }).where(eq(agentRuns.id, runId));
}

/** Ends a run, unless it has ended; whoever is first decides how. */
export async function endAgentRun(
  database: Database,
  { runId, outcome, result }: { runId: string; outcome: AgentRunOutcome; result?: AgentRunResult },
): Promise<void> {
  await database.transaction(async (query) => {
    const reason = 'reason' in outcome ? outcome.reason : null;
    const [row] = await query
      .update(agentRuns)
      .set({
        status: outcome.status,
        reason,
        endedAt: new Date(),
        ...(result && {
          output: result.output ?? null,
          finalMessages: result.finalMessages ?? null,
          artifacts: result.artifacts ?? null,
          ownUsage: result.usage ?? null,
        }),
      })
      .where(and(eq(agentRuns.id, runId), notInArray(agentRuns.status, ended)))
      .returning();
    if (!row) return;
    await withdrawRunRequests(query, runId);
    await endOutsideCallsOf(query, runId);
    await query
      .update(runs)
      .set({ status: outcome.status === 'SUCCEEDED' ? 'FINISHED' : 'ENDED', result: reason, endedAt: new Date() })
      .where(eq(runs.id, runId));
    await addEvents(query, { kind: 'run', id: runId }, [eventOf(outcome, row.output)]);
  });
}

function eventOf(outcome: AgentRunOutcome, output: unknown): AgentRuntimeEventData {
  switch (outcome.status) {
    case 'SUCCEEDED': {
      const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
      return { type: 'run.succeeded', result: preview(text, 400) };
    }
    case 'FAILED':
      return { type: 'run.failed', reason: outcome.reason };
    case 'CANCELLED':
      return { type: 'run.cancelled', reason: outcome.reason };
    case 'TIMED_OUT':
      return { type: 'run.timed_out', reason: outcome.reason };
  }
}

/** Whether a run has ended, and how. */
export function outcomeOf({ status, reason }: Pick<AgentRunRow, 'status' | 'reason'>): AgentRunOutcome | undefined {
  if (!hasEnded(status)) return undefined;
  const ended = status as Exclude<AgentRunStatus, 'QUEUED' | 'RUNNING'>;
  if (ended === 'SUCCEEDED') return { status: ended };
  return ended === 'FAILED'
    ? { status: ended, reason: reason ?? '', retryable: false }
    : { status: ended, reason: reason ?? '' };
}
