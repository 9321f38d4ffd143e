import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AnswerSummary } from '../../activities/call-model.ts';
import type { delegateWorkflow } from '../../workflows/delegate-workflow.ts';
import { startWorkflows, taskQueue, type Workflows } from '../support/start-workflows.ts';

let workflows: Workflows;

beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

type Answer = Pick<AnswerSummary, 'calls' | 'refused'>;

/** Has a delegate with these limits get the same answer each time; returns how it ended, with what it was asked and which tools ran. */
async function answerAlike(runId: string, answer: Answer, limits: { modelCalls: number; sameCalls?: number }) {
  const { modelCalls, sameCalls = 3 } = limits;
  const ran: number[] = [];
  const lastCalls: unknown[] = [];
  const nudges: unknown[] = [];
  const endings: unknown[] = [];
  await workflows.withActivities(
    {
      startDelegate: async () => ({ modelCalls, toolCalls: 50, tokens: 10_000, stuck: { sameCalls } }),
      async callModel({ turn, lastCall, nudge }) {
        lastCalls.push(lastCall);
        if (nudge !== undefined) nudges.push([turn, nudge]);
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
  return { ran, lastCalls, nudges, endings };
}

const answerOnce = (runId: string, answer: Answer) => answerAlike(runId, answer, { modelCalls: 1 });

test('with a single model call, tools would be run of which nothing can be said', async () => {
  const call = { position: 0, name: 'write_file', readOnly: false, summary: 'write_file' };
  const limit = expect.stringContaining('1 model calls');
  expect(await answerOnce('calls', { calls: [call] })).toEqual({
    ...{ ran: [], lastCalls: [limit], nudges: [], endings: [['LIMITED', limit]] },
  });
});

test('a whole answer of a single model call would pass for one that was cut short, or a failed one for that', async () => {
  expect(await answerOnce('words', { calls: [] })).toMatchObject({ endings: [['ANSWERED', '']] });
  const refused = await answerOnce('refused', { calls: [], refused: 'I cannot.' });
  expect(refused).toMatchObject({ endings: [['FAILED', expect.stringContaining('I cannot.')]] });
});

test('an agent that goes in a circle would use up all that a message may take', async () => {
  const call = { position: 0, name: 'read_file', readOnly: true, summary: 'read_file' };
  const { ran, lastCalls, nudges, endings } = await answerAlike(
    'circle',
    { calls: [call] },
    { modelCalls: 20, sameCalls: 2 },
  );
  const circle = expect.stringContaining('called read_file 2 times in a row');
  expect(nudges).toEqual([[3, circle]]);
  expect(ran).toHaveLength(4);
  expect(lastCalls).toEqual([undefined, undefined, undefined, undefined, circle]);
  expect(endings).toEqual([['LIMITED', circle]]);
});
