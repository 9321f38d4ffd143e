import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AgentRunOutcome, AgentRunRequest } from '../../../domain/agent-run/run-request.ts';
import { defaultAgentRunLimits } from '../../../domain/agent-run/run-request.ts';
import type { agentRunWorkflow } from '../../../workflows/agent-run/agent-run-workflow.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

let workflows: Workflows;

beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

const failed: AgentRunOutcome = { status: 'FAILED', reason: 'not yet', retryable: true };

/** Has a coded agent's tries end in this way; returns how many there were, and how the run ended. */
async function runWith(
  runId: string,
  tryOnce: (attempt: number) => Promise<AgentRunOutcome>,
  options: Partial<AgentRunRequest> = {},
) {
  const tries: number[] = [];
  const endings: AgentRunOutcome[] = [];
  await workflows.withActivities(
    {
      async runCodedAgent({ attempt }) {
        tries.push(attempt);
        return tryOnce(attempt);
      },
      async endAgentRun({ outcome }) {
        endings.push(outcome);
      },
    },
    () =>
      workflows.client.workflow.execute<typeof agentRunWorkflow>('agentRunWorkflow', {
        workflowId: runId,
        taskQueue,
        args: [
          {
            ...{ runId, agent: 'tried', kind: 'coded', queue: taskQueue, limits: defaultAgentRunLimits },
            ...{ maxRetries: 0, backoffMs: 5, ...options },
          },
        ],
      }),
  );
  return { tries, endings };
}

test('a failed run is tried as often as it may be, then fails', async () => {
  const { tries, endings } = await runWith('tried', async () => failed, { maxRetries: 3 });
  expect({ tries, endings }).toEqual({ tries: [1, 2, 3, 4], endings: [failed] });
});

test('a failure that no try can mend ends the run at once', async () => {
  const hopeless = { ...failed, retryable: false };
  const { tries, endings } = await runWith('hopeless', async () => hopeless, { maxRetries: 5 });
  expect({ tries, endings }).toEqual({ tries: [1], endings: [hopeless] });
});

test('a run that succeeds stores nothing more, since its result is stored with it', async () => {
  const succeed = async (attempt: number): Promise<AgentRunOutcome> =>
    attempt === 2 ? { status: 'SUCCEEDED' } : failed;
  const { tries, endings } = await runWith('second', succeed, { maxRetries: 1 });
  expect({ tries, endings }).toEqual({ tries: [1, 2], endings: [] });
});

test('a run that takes too long, its pauses included, times out', async () => {
  const { endings } = await runWith('late', async () => failed, { maxRetries: 100, timeoutMs: 300 });
  expect(endings).toEqual([{ status: 'TIMED_OUT', reason: 'It took longer than its timeout of 300 ms.' }]);
});
