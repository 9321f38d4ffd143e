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

const limitOf = (modelCalls: number) => expect.stringContaining(`may take ${modelCalls} model calls`);
const answerOnce = (runId: string, answer: Answer) => answerAlike(runId, answer, { modelCalls: 1 });

const brokenOff: Answer = { calls: [], wording: 'cut-off' };
const tellBrokenOff =
  'The answer was cut off at the token limit (`maxOutputTokens`). The results so far are kept: say "go on" to continue.';

test('an answer that broke off would stay half, or go on as one that makes no progress', async () => {
  const answered = await answerAlike('goes-on', (turn) => (turn < 3 ? brokenOff : { calls: [] }), { modelCalls: 5 });
  expect(answered).toMatchObject({
    endings: [['ANSWERED', '']],
    lastCalls: [undefined, undefined, undefined],
    nudges: [],
  });
});

test('an answer that breaks off each time would go on for ever, or end without a word on how to go on', async () => {
  const { endings, lastCalls } = await answerAlike('for-ever', brokenOff, { modelCalls: 50 });
  expect({ endings, calls: lastCalls.length }).toEqual({ endings: [['LIMITED', tellBrokenOff]], calls: 4 });
});

test('an answer that broke off would go on beyond a limit of its message', async () => {
  const { endings, lastCalls } = await answerAlike('beyond', brokenOff, { modelCalls: 2 });
  expect({ endings, calls: lastCalls.length }).toEqual({ endings: [['LIMITED', tellBrokenOff]], calls: 2 });
});

test('an answer whose rest cannot be asked for would pass for none', async () => {
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

test('a last call that has only the rest of an answer to bring would run tools of which nothing can be said', async () => {
  const write = { position: 0, name: 'write_file', readOnly: false, summary: 'write_file' };
  const answered = await answerAlike('only-rest', (turn) => (turn === 1 ? brokenOff : { calls: [write] }), {
    modelCalls: 2,
  });
  expect(answered).toMatchObject({ ran: [], endings: [['LIMITED', limitOf(2)]] });
});

test('an answer whose rest did not come would pass for whole, or for none', async () => {
  const rest = (turn: number): Answer => (turn === 1 ? brokenOff : { calls: [], wording: 'none' });
  const { endings } = await answerAlike('no-rest', rest, { modelCalls: 50 });
  expect(endings).toEqual([['LIMITED', tellBrokenOff]]);
});

test('with a single model call, tools would be run of which nothing can be said', async () => {
  const call = { position: 0, name: 'write_file', readOnly: false, summary: 'write_file' };
  const limit = limitOf(1);
  expect(await answerOnce('calls', { calls: [call] })).toEqual({
    ...{ ran: [], lastCalls: [limit], nudges: [], endings: [['LIMITED', limit]] },
  });
});

test('a whole answer of a single model call would pass for one that was cut short, or a failed one for that', async () => {
  expect(await answerOnce('words', { calls: [] })).toMatchObject({ endings: [['ANSWERED', '']] });
  const refused = await answerOnce('refused', { calls: [], refused: 'I cannot.' });
  expect(refused).toMatchObject({ endings: [['FAILED', expect.stringContaining('I cannot.')]] });
});

const call = { position: 0, name: 'read_file', readOnly: true, summary: 'read_file' };
const circle = expect.stringContaining('called read_file 2 times in a row');

test('an agent that goes in a circle would use up all that a message may take', async () => {
  const answered = await answerAlike('circle', { calls: [call] }, { modelCalls: 20, sameCalls: 2 });
  expect(answered).toMatchObject({ nudges: [[3, circle]], endings: [['LIMITED', circle]] });
  expect(answered.ran).toHaveLength(4);
  expect(answered.lastCalls).toEqual([undefined, undefined, undefined, undefined, circle]);
});

test('an agent that finds its way out of a circle would be cut short all the same', async () => {
  const calls = (turn: number) => ({ calls: turn < 7 ? [call] : [] });
  const callHashOf = (turn: number) => (turn < 3 ? 'same' : `other ${turn}`);
  const { nudges, endings } = await answerAlike('out', calls, { modelCalls: 20, sameCalls: 2, callHashOf });
  expect({ nudges, endings }).toEqual({ nudges: [[3, circle]], endings: [['ANSWERED', '']] });
});

test('where a circle and a limit fall together, the model would be told to try another way in its last answer', async () => {
  const { nudges, lastCalls } = await answerAlike('both', { calls: [call] }, { modelCalls: 3, sameCalls: 2 });
  expect({ nudges, lastCalls }).toEqual({ nudges: [], lastCalls: [undefined, undefined, limitOf(3)] });
});

test('what is delegated to read would count as stuck, since it changes nothing', async () => {
  const callHashOf = (turn: number) => `file ${turn}`;
  const calls = (turn: number) => ({ calls: turn < 7 ? [call] : [] });
  const { nudges, endings } = await answerAlike('reads', calls, { modelCalls: 20, idleTurns: 2, callHashOf });
  expect({ nudges, endings }).toEqual({ nudges: [], endings: [['ANSWERED', '']] });
});
