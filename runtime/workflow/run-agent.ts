import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  uuid4,
} from '@temporalio/workflow';
import type { RunInput, RunOptions } from '../../client/agent-runs/run-options.ts';
import type { RunResult } from '../../client/agent-runs/run-view.ts';
import type { AgentRunRequest } from '../../domain/agent-run/run-request.ts';
import type { RunActivities } from '../worker/run-activities.ts';

/** The row is keyed by the id that the workflow chose, and a result only read; retried for a day while Postgres or Temporal is unreachable. */
const runs = proxyActivities<RunActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds', maximumAttempts: 17_280 },
});

export type RunAgentOptions = Omit<RunOptions, 'idempotencyKey'>;

/**
 * Runs an agent as a child of this workflow, and returns its result. Cancelling the workflow cancels the run; the worker needs the activities of
 * `longhaul/worker`. Input and result pass through this workflow's history.
 * @throws {ApplicationFailure} of the type `RunFailed`, `RunCancelled` or `RunTimedOut`; `InvalidInput` if no process ever hosted the agent.
 */
export async function runAgent<Output = unknown>(
  agent: string,
  input: RunInput,
  options: RunAgentOptions = {},
): Promise<RunResult<Output>> {
  const runId = options.runId ?? `${agent}-${uuid4()}`;
  const inserted = await unwrapped(runs.longhaulInsertRun({ agent, input, options: { ...options, runId } }));
  const { request, taskQueue, priority, summary } = inserted;
  try {
    await executeChild<(request: AgentRunRequest) => Promise<void>>('agentRunWorkflow', {
      ...{ workflowId: runId, taskQueue, args: [request], priority: { priorityKey: priority } },
      staticSummary: summary,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ChildWorkflowFailure)) throw error;
    // It was ended from outside, as in the Temporal UI; its result says so.
  }
  return (await unwrapped(runs.longhaulReadResult({ runId }))) as RunResult<Output>;
}

/** Throws the activity's own failure instead of Temporal's wrapper, so that its type and its message are at hand. */
async function unwrapped<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
  }
}
