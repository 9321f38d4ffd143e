import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { AnswerSummary } from '../../../activities/model/answer-summary.ts';
import type { delegateWorkflow } from '../../../workflows/chat/delegate-workflow.ts';
import { startWorkflows, taskQueue, type Workflows } from '../../support/work/start-workflows.ts';

let workflows: Workflows;

beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

type Answer = Pick<AnswerSummary, 'calls' | 'refused' | 'wording'>;

/** Has a delegate with these limits get the same answer each time; returns how it ended, with what it was asked and which tools ran. */
async function answerAlike(
  runId: string,
  answer: Answer | ((turn: number) => Answer),
  limits: { modelCalls: number; sameCalls?: number; idleTurns?: number; callHashOf?: (turn: number) => string },
) {
  const { modelCalls, sameCalls = 3, idleTurns = 10, callHashOf = () => 'call' } = limits;
  const ran: number[] = [];
  const lastCalls: unknown[] = [];
  const nudges: unknown[] = [];
  const endings: unknown[] = [];
  await workflows.withActivities(
    {
      startDelegate: async () => ({ modelCalls, toolCalls: 50, tokens: 10_000, stuck: { sameCalls, idleTurns } }),
      async callModel({ turn, lastCall, nudge }) {
        lastCalls.push(lastCall);
        if (nudge !== undefined) nudges.push([turn, nudge]);
        return { messageNumber: 2, tokens: 10, ...(typeof answer === 'function' ? answer(turn) : answer) };
      },
      async runTool({ turn, position }) {
        ran.push(position);
        return { failed: false, preview: 'Done.', callHash: callHashOf(turn), resultHash: 'result' };
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

const limitOf = (modelCalls: number) => expect.stringContaining(`its limit of ${modelCalls} model calls`);
const answerOnce = (runId: string, answer: Answer) => answerAlike(runId, answer, { modelCalls: 1 });

const brokenOff: Answer = { calls: [], wording: 'cut-off' };
const tellBrokenOff =
  'The answer was cut off at the token limit (`maxOutputTokens`). Continue from what is above, or delegate what is left.';

test('a cut-off answer is continued and counts as progress', async () => {
  const answered = await answerAlike('goes-on', (turn) => (turn < 3 ? brokenOff : { calls: [] }), { modelCalls: 5 });
  expect(answered).toMatchObject({
    endings: [['ANSWERED', '']],
    lastCalls: [undefined, undefined, undefined],
    nudges: [],
  });
});

test('an answer that is cut off each time ends with how to continue', async () => {
  const { endings, lastCalls } = await answerAlike('for-ever', brokenOff, { modelCalls: 50 });
  expect({ endings, calls: lastCalls.length }).toEqual({ endings: [['LIMITED', tellBrokenOff]], calls: 4 });
});

test('a continuation stays within the limits of its message', async () => {
  const { endings, lastCalls } = await answerAlike('beyond', brokenOff, { modelCalls: 2 });
  expect({ endings, calls: lastCalls.length }).toEqual({ endings: [['LIMITED', tellBrokenOff]], calls: 2 });
});

test('an answer whose continuation fails is kept', async () => {
  const { endings } = await answerAlike(
    'unasked-rest',
    (turn) => (turn === 1 ? brokenOff : { calls: [], refused: 'I cannot.' }),
    { modelCalls: 50 },
  );
  expect(endings).toEqual([['LIMITED', expect.stringMatching(/cut off .* Its continuation failed: .*I cannot/)]]);
  const failing = await answerAlike(
    'failing-rest',
    (turn) => {
      if (turn > 1) throw ApplicationFailure.nonRetryable('The model is away.');
      return brokenOff;
    },
    { modelCalls: 50 },
  );
  expect(failing.endings).toEqual([['LIMITED', expect.stringMatching(/continuation failed: .*away/)]]);
});

test('a last call that only continues an answer runs no tools', async () => {
  const write = { position: 0, name: 'write_file', readOnly: false, summary: 'write_file' };
  const answered = await answerAlike('only-rest', (turn) => (turn === 1 ? brokenOff : { calls: [write] }), {
    modelCalls: 2,
  });
  expect(answered).toMatchObject({ ran: [], endings: [['LIMITED', limitOf(2)]] });
});

test('an answer without its continuation is shown as incomplete', async () => {
  const rest = (turn: number): Answer => (turn === 1 ? brokenOff : { calls: [], wording: 'none' });
  const { endings } = await answerAlike('no-rest', rest, { modelCalls: 50 });
  expect(endings).toEqual([['LIMITED', tellBrokenOff]]);
});

test('with a single model call no tools run', async () => {
  const call = { position: 0, name: 'write_file', readOnly: false, summary: 'write_file' };
  const limit = limitOf(1);
  expect(await answerOnce('calls', { calls: [call] })).toEqual({
    ...{ ran: [], lastCalls: [limit], nudges: [], endings: [['LIMITED', limit]] },
  });
});

test('a whole answer of a single model call is complete', async () => {
  expect(await answerOnce('words', { calls: [] })).toMatchObject({ endings: [['ANSWERED', '']] });
  const refused = await answerOnce('refused', { calls: [], refused: 'I cannot.' });
  expect(refused).toMatchObject({ endings: [['FAILED', expect.stringContaining('I cannot.')]] });
});

const call = { position: 0, name: 'read_file', readOnly: true, summary: 'read_file' };
const loop = expect.stringContaining('called read_file 2 times in a row');

test('a loop of an agent ends its answer after a warning', async () => {
  const answered = await answerAlike('loop', { calls: [call] }, { modelCalls: 20, sameCalls: 2 });
  expect(answered).toMatchObject({ nudges: [[3, loop]], endings: [['LIMITED', loop]] });
  expect(answered.ran).toHaveLength(4);
  expect(answered.lastCalls).toEqual([undefined, undefined, undefined, undefined, loop]);
});

test('an agent that leaves its loop answers normally', async () => {
  const calls = (turn: number) => ({ calls: turn < 7 ? [call] : [] });
  const callHashOf = (turn: number) => (turn < 3 ? 'same' : `other ${turn}`);
  const { nudges, endings } = await answerAlike('out', calls, { modelCalls: 20, sameCalls: 2, callHashOf });
  expect({ nudges, endings }).toEqual({ nudges: [[3, loop]], endings: [['ANSWERED', '']] });
});

test('when a loop and a limit come together, the model is asked for its last answer', async () => {
  const { nudges, lastCalls } = await answerAlike('both', { calls: [call] }, { modelCalls: 3, sameCalls: 2 });
  expect({ nudges, lastCalls }).toEqual({ nudges: [], lastCalls: [undefined, undefined, limitOf(3)] });
});

test('a delegate that only reads is not stuck', async () => {
  const callHashOf = (turn: number) => `file ${turn}`;
  const calls = (turn: number) => ({ calls: turn < 7 ? [call] : [] });
  const { nudges, endings } = await answerAlike('reads', calls, { modelCalls: 20, idleTurns: 2, callHashOf });
  expect({ nudges, endings }).toEqual({ nudges: [], endings: [['ANSWERED', '']] });
});
