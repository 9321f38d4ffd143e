import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { AnswerSummary } from '../../../activities/model/answer-summary.ts';
import type { AgentRunOutcome, AgentRunRequest } from '../../../domain/agent-run/run-request.ts';
import { defaultAgentRunLimits } from '../../../domain/agent-run/run-request.ts';
import type { ToolWait } from '../../../domain/agent-run/tool-wait.ts';
import type { agentRunWorkflow } from '../../../workflows/agent-run/agent-run-workflow.ts';
import { startTestServer } from '../../support/servers/start-test-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

/** In milliseconds. */
const hour = 3_600_000;
const day = 24 * hour;

let server: Awaited<ReturnType<typeof startTestServer>>;
let workflows: Workflows;
beforeAll(async () => {
  server = await startTestServer();
  workflows = await startWorkflows({ address: server.address });
});
afterAll(async () => {
  await workflows?.stop();
  await server?.stop();
});

type Handle = Awaited<ReturnType<typeof workflows.client.workflow.start<typeof agentRunWorkflow>>>;
type Work = Parameters<Workflows['withActivities']>[0];

/** Has a run do its work with these activities; returns how it ended, its pauses between tries, and how long it took, in seconds of the server's clock. */
async function runWith(
  runId: string,
  activities: Work,
  options: Partial<AgentRunRequest> = {},
  meanwhile: (handle: Handle) => Promise<unknown> = async () => {},
) {
  const endings: AgentRunOutcome[] = [];
  const work = {
    ...activities,
    async endAgentRun({ outcome }: { outcome: AgentRunOutcome }) {
      endings.push(outcome);
    },
  };
  return workflows.withActivities(work, async () => {
    const handle = await workflows.client.workflow.start<typeof agentRunWorkflow>('agentRunWorkflow', {
      ...{ workflowId: runId, taskQueue },
      args: [
        {
          ...{ runId, agent: 'timed', kind: 'coded', queue: taskQueue, limits: defaultAgentRunLimits },
          ...{ maxRetries: 0, backoffMs: 1_000, ...options },
        },
      ],
    });
    await meanwhile(handle);
    await handle.result();
    const { startTime, closeTime } = await handle.describe();
    const { events = [] } = await handle.fetchHistory();
    const timers = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
    return {
      endings,
      pauses: timers.map(({ startToFireTimeout }) => Number(startToFireTimeout?.seconds)),
      seconds: Math.round(((closeTime?.getTime() ?? 0) - startTime.getTime()) / 1_000),
    };
  });
}

const failed: AgentRunOutcome = { status: 'FAILED', reason: 'not yet', retryable: true };

test('the pause before each retry is twice the last one, up to 300 s', async () => {
  const { endings, pauses, seconds } = await runWith(
    'backs-off',
    { runCodedAgent: async () => failed },
    { maxRetries: 11 },
  );
  expect(endings).toEqual([failed]);
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(seconds).toBeGreaterThanOrEqual(1_111);
});

test('a run that is tried again and again times out, its pauses included, at its second', async () => {
  const options = { maxRetries: 1_000_000, timeoutMs: 6 * hour };
  const { endings, seconds } = await runWith('times-out', { runCodedAgent: async () => failed }, options);
  expect(endings).toEqual([{ status: 'TIMED_OUT', reason: `It took longer than its timeout of ${6 * hour} ms.` }]);
  expect(seconds).toBeGreaterThanOrEqual((6 * hour) / 1_000);
  expect(seconds).toBeLessThan((6 * hour) / 1_000 + 60);
});

/** A coded agent that works until it is stopped. */
async function workUntilStopped(): Promise<never> {
  return Context.current().cancelled;
}

test('a cancellation reaches the code of an agent, and no retry follows', async () => {
  const tries: number[] = [];
  const { endings } = await runWith(
    'cancelled',
    {
      async runCodedAgent({ attempt }) {
        tries.push(attempt);
        const beating = setInterval(() => Context.current().heartbeat(), 100);
        return workUntilStopped().finally(() => clearInterval(beating));
      },
    },
    { maxRetries: 5 },
    async (handle) => {
      await waitFor('the agent', () => tries.length > 0);
      await handle.cancel();
    },
  );
  expect({ tries, endings }).toEqual({ tries: [1], endings: [{ status: 'CANCELLED', reason: 'It was cancelled.' }] });
});

/** A declared agent that calls a tool, which waits for what `wait` gives before it can be made. */
function declaredAgent(wait: (now: number) => ToolWait) {
  const asked: number[] = [];
  const activities = {
    beginAgentRun: async () => ({ submits: false, readOnly: [] }),
    callModel: async ({ turn }: { turn: number }): Promise<AnswerSummary> => ({
      ...{ messageNumber: 2, tokens: 10 },
      calls: turn === 1 ? [{ position: 0, name: 'pay', summary: 'pay', readOnly: false }] : [],
    }),
    async runAgentTool() {
      const now = Context.current().info.scheduledTimestampMs;
      asked.push(now);
      if (asked.length === 1) return wait(now);
      return { failed: false, preview: 'Paid.', callHash: 'call', resultHash: 'result' };
    },
  };
  return { asked, activities: activities as never };
}

test('a request that nobody answers is looked at again at its deadline in seven days, for its default answer', async () => {
  const { asked, activities } = declaredAgent((now) => ({
    waits: 'answer',
    request: '1a2b3c4d',
    until: now + 7 * day,
  }));
  const { endings } = await runWith('unanswered', activities, { kind: 'declared' });
  expect(endings).toEqual([{ status: 'SUCCEEDED' }]);
  const [first = 0, second = 0, ...others] = asked;
  expect(others).toEqual([]);
  expect(second - first).toBeGreaterThanOrEqual(7 * day);
  expect(second - first).toBeLessThan(7 * day + 60_000);
});

test('a run that waits for a person times out in its time', async () => {
  const { asked, activities } = declaredAgent(() => ({ waits: 'answer', request: '1a2b3c4d' }));
  const { endings } = await runWith('not-in-time', activities, { kind: 'declared', timeoutMs: day });
  expect(endings).toEqual([{ status: 'TIMED_OUT', reason: `It took longer than its timeout of ${day} ms.` }]);
  expect(asked).toHaveLength(1);
});

test('a run outlasts 55 minutes without its model', async () => {
  const { activities } = declaredAgent(() => ({ waits: 'outside', place: 'client', call: 'c' }));
  let calls = 0;
  const away = {
    ...(activities as object),
    async callModel(): Promise<AnswerSummary> {
      calls += 1;
      if (calls < 60) throw ApplicationFailure.retryable('The provider is away.', 'ModelUnavailable');
      return { messageNumber: 2, tokens: 10, calls: [] };
    },
  };
  const { endings, seconds } = await runWith('outage', away as never, { kind: 'declared' });
  expect({ endings, calls }).toEqual({ endings: [{ status: 'SUCCEEDED' }], calls: 60 });
  expect(seconds).toBeGreaterThan(54 * 60);
});
