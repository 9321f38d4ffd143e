import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AnswerSummary } from '../../activities/call-model.ts';
import type { delegateWorkflow } from '../../workflows/delegate-workflow.ts';
import { startWorkflows, taskQueue, type Workflows } from '../support/start-workflows.ts';

let workflows: Workflows;

beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

/** Has a delegate with a single model call get the answer; returns how it ended, with what it was asked and which tools ran. */
async function answerOnce(runId: string, answer: Pick<AnswerSummary, 'calls' | 'refused'>) {
  const ran: number[] = [];
  const lastCalls: unknown[] = [];
  const endings: unknown[] = [];
  await workflows.withActivities(
    {
      startDelegate: async () => ({ modelCalls: 1, toolCalls: 5, tokens: 1_000 }),
      async callModel({ lastCall }) {
        lastCalls.push(lastCall);
        return { messageNumber: 2, tokens: 10, ...answer };
      },
      async runTool({ position }) {
        ran.push(position);
        return { failed: false, preview: 'Done.', callHash: 'call', resultHash: 'result' };
      },
      async endDelegate({ status, reason = '' }) {
        endings.push([status, reason]);
      },
    },
    () =>
      workflows.client.workflow.execute<typeof delegateWorkflow>('delegateWorkflow', {
        workflowId: runId,
        taskQueue,
        args: [
          { chatId: 'chat-a', parentRunId: 'chat-a-r1', runId, role: 'code' as const, answerNumber: 1, position: 0 },
        ],
      }),
  );
  return { ran, lastCalls, endings };
}

test('with a single model call, tools would be run of which nothing can be said', async () => {
  const call = { position: 0, name: 'write_file', readOnly: false, summary: 'write_file' };
  const limit = expect.stringContaining('1 model calls');
  expect(await answerOnce('calls', { calls: [call] })).toEqual({
    ...{ ran: [], lastCalls: [limit], endings: [['LIMITED', limit]] },
  });
});

test('a whole answer of a single model call would pass for one that was cut short, or a failed one for that', async () => {
  expect(await answerOnce('words', { calls: [] })).toMatchObject({ endings: [['ANSWERED', '']] });
  const refused = await answerOnce('refused', { calls: [], refused: 'I cannot.' });
  expect(refused).toMatchObject({ endings: [['FAILED', expect.stringContaining('I cannot.')]] });
});
