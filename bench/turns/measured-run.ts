import type { subAgentWorkflow } from '../../workflows/session/sub-agent-workflow.ts';
import type { MeasuredFeature } from '../stack/bench-script.ts';
import type { BenchStack } from '../stack/bench-stack.ts';

/** Runs the code agent for that many turns as a session would, in the stack's own worker; returns the run's id. */
export async function runAgent(
  stack: BenchStack,
  name: string,
  feature: MeasuredFeature,
  turns: number,
): Promise<string> {
  const { projectId, sessionId, taskQueue, client, signal } = stack;
  const runId = `${sessionId}-${name}`;
  const run = {
    owner: { kind: 'project' as const, id: projectId },
    sessionId,
    runId,
    role: 'code' as const,
    maxTurns: turns,
    sandbox: sessionId,
    feature,
    attempt: 1,
    stuck: { idleTurns: turns + 1 }, // the measured runs only search, which would count as being stuck
  };
  const outcome = await client.withAbortSignal(signal, () =>
    client.workflow.execute<typeof subAgentWorkflow>('subAgentWorkflow', {
      workflowId: runId,
      taskQueue,
      args: [{ run, paused: false }],
    }),
  );
  // The script never finishes, so the run must end when its turns are used up.
  if (!outcome.reason.includes(`${turns} turns`)) {
    throw new Error(`Expected the run to use its ${turns} turns, it ended otherwise: ${outcome.reason}`);
  }
  return runId;
}
