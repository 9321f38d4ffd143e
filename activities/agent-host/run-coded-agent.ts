import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@temporalio/activity';
import { isRetryable, PermanentError } from '../../agents/runtime/agent-error.ts';
import { createAgentContext } from '../../agents/runtime/create-agent-context.ts';
import type { AgentResult } from '../../agents/runtime/definition/define-agent.ts';
import { beginAttempt, endAgentRun, outcomeOf } from '../../db/agent-runs/attempts.ts';
import { readOperations } from '../../db/agent-runs/operations.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { readLastTurn } from '../../db/usage/last-turn.ts';
import { type AgentRunOutcome, cancelledRun } from '../../domain/agent-run/run-request.ts';
import { preview } from '../../domain/storable-text.ts';
import { retryableFailure } from '../failures.ts';
import { type Heartbeat, withHeartbeat } from '../heartbeat.ts';
import { createModelCalls } from '../model/model-calls.ts';
import { createAsk } from './create-ask.ts';
import { createOutsideCalls } from './create-outside-calls.ts';
import { createRunStore } from './create-run-store.ts';
import type { HostDependencies } from './host-dependencies.ts';
import { createObserveTool } from './observe-tool.ts';

/** Milliseconds that a cancelled agent has to end by itself; then it is left to itself. */
const gracePeriod = 5_000;

/**
 * The activity `runCodedAgent`: one attempt of a coded agent's run. A failure of the agent is its outcome; only what says that this process is no
 * place to run is thrown, so that another one takes the attempt up.
 */
export function createRunCodedAgent(dependencies: HostDependencies) {
  const { database, agent, answers } = dependencies;
  const modelCalls = createModelCalls(dependencies);

  return async function runCodedAgent(input: { runId: string; attempt: number }): Promise<AgentRunOutcome> {
    await modelCalls.recordLostCall();
    return withHeartbeat((heartbeat) => answers.attend(input.runId, () => attempt(input, heartbeat)));
  };

  async function attempt(
    { runId, attempt: number }: { runId: string; attempt: number },
    { cancel, detach, note }: Heartbeat,
  ): Promise<AgentRunOutcome> {
    const signal = AbortSignal.any([cancel, detach]);
    setMaxListeners(0, signal);
    const model = agent.model ?? dependencies.modelOf('agent', {});
    const onStored = () => answers.tellStored(runId);
    const run = await beginAttempt(database, { runId, attempt: number, model });
    onStored();
    const ended = outcomeOf(run);
    if (ended) return ended;
    const context = createAgentContext({
      run: {
        ...{ id: runId, input: run.input, params: run.params ?? undefined, metadata: run.metadata, attempt: number },
        conversationId: run.conversationId ?? undefined,
        ...{ checkpoint: run.checkpoint, state: run.state ?? undefined },
        operations: await readOperations(database, runId, run.checkpoint),
      },
      tools: agent.tools,
      signal,
      isCancelled: () => cancel.aborted,
      store: createRunStore({ database, runId, signal, onStored }),
      ask: createAsk(dependencies, {
        ...{ runId, attempt: number, limits: run.limits, signal, note },
        turns: await readLastTurn(database, runId),
      }),
      observe: createObserveTool(dependencies, runId),
      outside: createOutsideCalls(dependencies, { run, signal, note }),
    });
    try {
      if (!agent.run) throw new Error(`Expected the agent "${agent.key}" to be coded, got a declared one.`);
      const result = await untilLeft(signal, agent.run(context));
      if (cancel.aborted) return cancelledRun; // however well it ends
      const returned = expectResult(result, agent.key);
      const { finalOutput: output, finalMessages, artifacts, usage } = returned;
      const outcome = { status: 'SUCCEEDED' as const };
      await retryUntilAvailable(signal, () =>
        endAgentRun(database, { runId, outcome, result: { output, finalMessages, artifacts, usage } }),
      );
      onStored();
      return outcome;
    } catch (error) {
      const reason = preview(error instanceof Error ? error.message : String(error), 400);
      if (cancel.aborted) return cancelledRun;
      if (detach.aborted) throw retryableFailure('Internal', `The process of the agent stopped: ${reason}`);
      log.warn('An agent failed.', { run: runId, attempt: number, error }); // with its stack, which the run does not keep
      return { status: 'FAILED', reason, retryable: isRetryable(error) };
    }
  }
}

/** What an agent returns is not checked by types where it is JavaScript. */
function expectResult(returned: AgentResult | undefined, key: string): AgentResult {
  if (typeof returned === 'object' && returned !== null && 'finalOutput' in returned) return returned;
  const came = returned === undefined ? 'nothing' : preview(JSON.stringify(returned) ?? String(returned), 100);
  throw new PermanentError(`Expected the agent "${key}" to return { finalOutput: ... }, got ${came}.`);
}

/** Waits for work, but not much longer than until the signal aborts. */
async function untilLeft<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const done = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: done.signal });
  });
  const left = aborted.then(async () => {
    await sleep(gracePeriod, undefined, { signal: done.signal });
    throw signal.reason;
  });
  left.catch(() => {}); // the work was faster
  try {
    return await Promise.race([work, left]);
  } finally {
    done.abort();
  }
}
