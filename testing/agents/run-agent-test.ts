import { z } from 'zod';
import { isRetryable } from '../../agents/runtime/agent-error.ts';
import { checkOptions } from '../../agents/runtime/check-options.ts';
import { createAgentContext } from '../../agents/runtime/create-agent-context.ts';
import type { Agent, AgentResult } from '../../agents/runtime/definition/define-agent.ts';
import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';
import { agentRunLimitsSchema } from '../../domain/agent-run/limits-schema.ts';
import type { AgentMessage, Artifacts, RunUsage } from '../../domain/agent-run/message.ts';
import { type AgentKind, type AgentRunLimits, cancelledRun } from '../../domain/agent-run/run-request.ts';
import type { AgentRunStatus } from '../../domain/agent-run/status.ts';
import type { AgentEventData } from '../../domain/run/event.ts';
import { preview } from '../../domain/storable-text.ts';
import { AgentTestError } from './agent-test-error.ts';
import { testedRunShape, toMessages } from './create-test-context.ts';
import { DeclaredRunError, runDeclaredLoop, startOfLoop } from './declared-loop.ts';
import { MemoryRunStore, type RecordedRun } from './memory-run-store.ts';
import { createMortalProcess } from './mortal-process.ts';
import { replaceTools } from './replace-tools.ts';
import { type ScriptedAnswers, type ScriptOrAnswers, toScript } from './scripted-answers.ts';
import type { SimulatedCrash } from './simulate-crash.ts';
import { sumScriptedUsage } from './sum-scripted-usage.ts';
import { type ToolExecution, watchTools } from './watched-tools.ts';

export interface AgentTestOptions {
  /** What the model answers; without it each call of it throws. */
  model?: ScriptOrAnswers;
  params?: unknown;
  metadata?: Record<string, unknown>;
  conversationId?: string;
  runId?: string;
  /** Take the place of the agent's tools of the same names. */
  tools?: readonly AgentTool[];
  /** Of a declared agent; replaces limits of the agent. */
  limits?: Partial<AgentRunLimits>;
  /** How often a failed run is tried again, without a pause; 0 if absent. */
  maxRetries?: number;
  /** Where its process dies, once for each. */
  crash?: SimulatedCrash | readonly SimulatedCrash[];
  /** Cancels the run when it aborts. */
  cancel?: AbortSignal;
}

/** A run of an agent in a test, after its end. */
export interface AgentTestRun<Output = unknown> extends RecordedRun {
  runId: string;
  agent: string;
  kind: AgentKind;
  status: Exclude<AgentRunStatus, 'QUEUED' | 'RUNNING'>;
  /** Undefined unless it succeeded. */
  output: Output | undefined;
  /** Why it failed or was cancelled. */
  reason: string | undefined;
  /** How often it was tried, crashes not counted. */
  attempts: number;
  crashes: number;
  /** Of a declared agent, its conversation with the instructions; of a coded one, what it returned as `finalMessages`. */
  messages: AgentMessage[];
  artifacts: Artifacts;
  usage: RunUsage;
  /** The tools' functions that ran, over all attempts. */
  executions: ToolExecution[];
  /** What the model was asked, and the answers that are left. */
  script: ScriptedAnswers;
  input: AgentMessage[];
  params: unknown;
  metadata: Record<string, unknown>;
}

const optionsSchema = z.strictObject({
  ...testedRunShape,
  limits: agentRunLimitsSchema.optional(),
  maxRetries: z.int().min(0).optional(),
  crash: z.any().optional(),
  cancel: z.any().optional(),
});

/**
 * Runs an agent to its end in this process, without any server: the agent's own function, or Longhaul's loop. How the run ended is in what it returns.
 * @throws {AgentTestError} `ScriptExhausted` and `ScriptUnusable`, also where the agent caught that; `CrashNotReached`. {AgentError}
 * `InvalidDefinition` for options that there are not.
 */
export async function runAgentTest<Output>(
  agent: Agent<Output>,
  input: string | readonly AgentMessage[],
  options: AgentTestOptions = {},
): Promise<AgentTestRun<Output>> {
  checkOptions(`The test of "${agent.key}" cannot run`, optionsSchema, options);
  const { runId = 'test-run', maxRetries = 0, metadata = {}, limits, cancel = new AbortController().signal } = options;
  const script = toScript(options.model);
  const store = new MemoryRunStore();
  const executions: ToolExecution[] = [];
  const tools = watchTools(replaceTools(agent.tools, options.tools ?? []), executions);
  const crashes = [options.crash ?? []].flat();
  const run = {
    ...{ id: runId, conversationId: options.conversationId, input: toMessages(input), metadata },
    params: options.params ?? null,
  };
  let loop = startOfLoop();
  let ended: Ended | undefined;
  let attempt = 1;
  let crashed = 0;
  await store.append([{ type: 'run.started', agent: agent.key, attempt }]);
  while (!ended) {
    const crash = crashes[crashed];
    const world = createMortalProcess({ store, ask: script.of(runId), tools }, crash);
    const context = createAgentContext({
      run: {
        ...{ ...run, attempt, checkpoint: store.checkpointNumber, state: store.recorded.checkpoints.at(-1)?.state },
        operations: store.operationsSinceCheckpoint(),
      },
      ...{ tools: world.tools, signal: cancel, isCancelled: () => cancel.aborted, store: world.store, ask: world.ask },
    });
    const work = agent.run ? agent.run(context) : runDeclaredLoop(context, agent, loop, limits);
    const outcome = await Promise.race([endOf(work as Promise<AgentResult>, cancel), world.died]);
    script.expectEnough();
    if (outcome === 'died') {
      crashed += 1;
      loop = startOfLoop(); // another process reads it from what was kept
      continue;
    }
    if (crash) {
      const did = store.recorded.operations.map(({ kind, name }) => `${kind}:${name}`).join(', ') || 'nothing';
      throw new AgentTestError(
        'CrashNotReached',
        `Expected the run to crash ${crash.description}, but it ended (${outcome.status}${outcome.reason ? `: ${outcome.reason}` : ''}) before. It did: ${did}.`,
      );
    }
    if (outcome.status !== 'FAILED' || !outcome.retryable || attempt > maxRetries) {
      ended = outcome;
      continue;
    }
    attempt += 1;
    await store.append([{ type: 'run.started', agent: agent.key, attempt }]);
  }
  const { status, reason, result } = ended;
  await store.append([eventOf(ended)]);
  return {
    ...store.recorded,
    ...{
      runId,
      agent: agent.key,
      kind: agent.kind,
      status,
      reason,
      attempts: attempt,
      crashes: crashed,
      executions,
      script,
    },
    ...{ input: run.input, params: run.params, metadata },
    output: result ? (JSON.parse(JSON.stringify(result.finalOutput ?? null)) as Output) : undefined, // as the database returns it
    messages: agent.run ? (result?.finalMessages ?? []) : loop.messages,
    artifacts: result?.artifacts ?? {},
    usage: sumScriptedUsage(store.recorded.operations, result?.usage),
  };
}

interface Ended {
  status: Exclude<AgentTestRun['status'], 'TIMED_OUT'>;
  reason?: string;
  retryable?: boolean;
  result?: AgentResult;
}

async function endOf(work: Promise<AgentResult>, cancel: AbortSignal): Promise<Ended> {
  try {
    const result = await work;
    return cancel.aborted ? cancelledRun : { status: 'SUCCEEDED', result };
  } catch (error) {
    if (cancel.aborted) return cancelledRun;
    const reason = preview(error instanceof Error ? error.message : String(error), 400);
    const retryable = error instanceof DeclaredRunError ? error.retryable : isRetryable(error);
    return { status: 'FAILED', reason, retryable };
  }
}

function eventOf({ status, reason = '', result }: Ended): AgentEventData {
  if (status === 'FAILED') return { type: 'run.failed', reason };
  if (status === 'CANCELLED') return { type: 'run.cancelled', reason };
  const { finalOutput } = result ?? {};
  const text = typeof finalOutput === 'string' ? finalOutput : JSON.stringify(finalOutput ?? null);
  return { type: 'run.succeeded', result: preview(text, 400) };
}
