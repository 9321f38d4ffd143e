import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancellationScope, sleep, startChild, TemporalFailure } from '@temporalio/workflow';
import { type AgentRunRequest, cancelledRun } from '../../domain/agent-run/run-request.ts';
import { growingPause } from '../../domain/growing-pause.ts';
import { database } from '../activities.ts';
import type { PauseGate } from '../agent/pause-gate.ts';
import { wasCancelled } from '../failures.ts';
import { childOptions, forwardPause } from '../start-child.ts';

/** Runs an agent that another one calls, to its end; one that runs already, as after a reset of its caller, is looked after later. */
export async function runChild(
  request: AgentRunRequest,
  { gate, tries }: { gate: PauseGate; tries: number },
): Promise<void> {
  const { runId } = request;
  try {
    const child = await startChild<(request: AgentRunRequest) => Promise<void>>('agentRunWorkflow', {
      ...childOptions,
      ...{ workflowId: runId, args: [request], workflowIdReusePolicy: 'REJECT_DUPLICATE' },
      staticSummary: request.agent,
    });
    const stopForwarding = gate.onChange((change) => forwardPause(child, change));
    if (gate.paused) forwardPause(child, {});
    await child.result().finally(stopForwarding);
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return sleep(growingPause(tries));
    if (!(error instanceof TemporalFailure)) throw error;
    const closed = { status: 'FAILED' as const, reason: 'Its workflow was closed from outside.', retryable: false };
    const outcome = wasCancelled(error) ? cancelledRun : closed;
    await CancellationScope.nonCancellable(() => database.endAgentRun({ runId, outcome })); // does nothing to a run that has ended
    if (wasCancelled(error)) throw error;
  }
}
