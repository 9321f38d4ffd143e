import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { PermanentError } from '../../../agents/runtime/agent-error.ts';
import { defineAgent } from '../../../agents/runtime/definition/define-agent.ts';
import { defineTool } from '../../../agents/runtime/tools/define-tool.ts';
import { runAgentTest } from '../../../testing/agents/run-agent-test.ts';
import { scriptAnswers } from '../../../testing/agents/scripted-answers.ts';
import { cashier, clerk, counter, effects } from './shop.ts';

beforeEach(() => {
  effects.length = 0;
});

const call = (tool: string, args: Record<string, unknown>) => ({ calls: [{ tool, arguments: args }] });

describe('a coded agent', () => {
  test('runs to its end with what it did', async () => {
    const run = await runAgentTest(cashier, 'A pen, please.', {
      model: [{ json: { cents: 120 }, usage: { inputTokens: 10, outputTokens: 2 } }],
    });
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: 'r-120 m-1', attempts: 1, crashes: 0, reason: undefined });
    expect(run.events.map(({ type }) => type)).toEqual([
      'run.started',
      'assistant.message',
      'state.checkpoint',
      'tool.call',
      'tool.result',
      'order.closed',
      'run.succeeded',
    ]);
    expect(run.operations.map(({ kind, name }) => `${kind}:${name}`)).toEqual([
      'model:generate',
      'tool:charge',
      'once:mail',
    ]);
    expect(run.checkpoints).toEqual([{ number: 1, state: { cents: 120 } }]);
    expect(run.usage).toEqual({ inputTokens: 10, outputTokens: 2, costUsd: 0, modelCalls: 1 });
    expect(run.script.asked[0]?.messages).toEqual([{ role: 'user', content: 'A pen, please.' }]);
  });

  test('fails with its reason, and is tried again only where that may help', async () => {
    const shaky = defineAgent({
      key: 'shaky',
      async run({ attempt, state }) {
        if (attempt < 3) throw new Error(`not yet, ${state}`);
        return { finalOutput: new Date(0) };
      },
    });
    expect(await runAgentTest(shaky, 'x')).toMatchObject({
      status: 'FAILED',
      reason: 'not yet, undefined',
      attempts: 1,
    });
    const retried = await runAgentTest(shaky, 'x', { maxRetries: 5 });
    expect(retried).toMatchObject({ status: 'SUCCEEDED', attempts: 3, output: '1970-01-01T00:00:00.000Z' });
    const hopeless = defineAgent({
      key: 'hopeless',
      run: () => Promise.reject(new PermanentError('never')),
    });
    expect(await runAgentTest(hopeless, 'x', { maxRetries: 5 })).toMatchObject({ status: 'FAILED', attempts: 1 });
  });

  test('a script that runs out fails the test, also where the agent catches that', async () => {
    const deaf = defineAgent({
      key: 'deaf',
      async run(context) {
        await context.generate('one');
        return { finalOutput: await context.generate('two').catch(() => 'never mind') };
      },
    });
    await expect(runAgentTest(deaf, 'x', { model: [{ text: 'a' }] })).rejects.toMatchObject({
      code: 'ScriptExhausted',
      message:
        'The script has 1 answers, and the model was asked once more, with the last message (user): two\nAdd an answer, or look why the agent goes on.',
    });
  });

  test('is cancelled', async () => {
    const cancelling = new AbortController();
    const waiting = defineAgent({
      key: 'waiting',
      async run(context) {
        cancelling.abort();
        await context.callTool('stock', {});
        return { finalOutput: 'no' };
      },
    });
    const run = await runAgentTest(waiting, 'x', { cancel: cancelling.signal });
    expect(run).toMatchObject({ status: 'CANCELLED', reason: 'It was cancelled.', output: undefined });
    expect(run.events.at(-1)?.type).toBe('run.cancelled');
  });
});

test('an agent that ends well although it was cancelled is cancelled', async () => {
  const cancelling = new AbortController();
  const deaf = defineAgent({
    key: 'deaf',
    async run() {
      cancelling.abort();
      return { finalOutput: 'done' };
    },
  });
  expect(await runAgentTest(deaf, 'x', { cancel: cancelling.signal })).toMatchObject({ status: 'CANCELLED' });
});

test.each([
  [{ models: [] }, 'The test of "clerk" cannot run:\n  expected only known settings, got "models"'],
  [{ maxRetries: -1 }, 'maxRetries: '],
  [{ limits: { calls: 1 } }, 'limits: expected only known settings, got "calls"'],
])('a test with the options %j is refused', async (options, complaint) => {
  await expect(runAgentTest(clerk, 'A pen', options as never)).rejects.toThrow(complaint);
});

test('an answer that no model gives is refused, with its place in the script', async () => {
  const model = [call('stock', { item: 'pens' }), { txt: 'There are.' } as never];
  await expect(runAgentTest(clerk, 'A pen', { model })).rejects.toThrow(
    'Answer 2 of the script cannot be given:\n  expected only known settings, got "txt"',
  );
});

describe('a declared agent', () => {
  test('answers in words after its calls, whose failures it is told', async () => {
    const model = scriptAnswers([
      call('stock', { item: 'pens' }),
      { calls: [{ tool: 'stock' }, { tool: 'nothing' }, { tool: 'charge', arguments: { cents: 5 } }] },
      ({ messages }) => ({ text: `Told: ${messages.at(-1)?.content}` }),
    ]);
    const run = await runAgentTest(clerk, 'A pen', { model });
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: 'Told: {"receipt":"r-5"}', kind: 'declared' });
    expect(run.messages.map(({ role, content }) => `${role}: ${content.split('\n')[0]}`)).toEqual([
      'system: You sell.',
      'user: A pen',
      'assistant: ',
      'tool: 7 of pens',
      'assistant: ',
      'tool: The input of the tool "stock" does not fit its schema:',
      'tool: There is no tool "nothing". You have: charge, stock.',
      'tool: {"receipt":"r-5"}',
      'assistant: Told: {"receipt":"r-5"}',
    ]);
    expect(model.asked[0]?.tools).toEqual(['charge', 'stock']);
    model.expectUsedUp();
  });

  test('submits its result in its form, alone', async () => {
    const run = await runAgentTest(counter, 'How many?', {
      model: [
        { text: 'Seven.' },
        {
          calls: [
            { tool: 'stock', arguments: { item: 'x' } },
            { tool: 'submit_result', arguments: { left: 7 } },
          ],
        },
        call('submit_result', { left: 'seven' }),
        call('submit_result', { left: 7 }),
      ],
    });
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { left: 7 } });
    const results = run.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(results[1]).toMatch('must be the only call of its turn');
    expect(results[2]).toMatch('Your result does not fit its schema');
    expect(results[3]).toBe('Your result is submitted.');
  });

  test.each([
    ['modelCalls', { modelCalls: 1 }, 'The run reached its limit of 1 model calls (`limits.modelCalls`).'],
    ['toolCalls', { toolCalls: 1 }, 'The run reached its limit of 1 tool calls (`limits.toolCalls`).'],
    ['tokens', { tokens: 12 }, 'The run reached its limit of 12 tokens (`limits.tokens`).'],
  ])('ends at its limit of %s', async (_name, limits, reason) => {
    const usage = { inputTokens: 10, outputTokens: 2 };
    const model = scriptAnswers([{ ...call('stock', { item: 'a' }), usage }, { text: 'unreached' }]);
    const run = await runAgentTest(clerk, 'x', { model, limits });
    expect(run).toMatchObject({ status: 'FAILED', reason });
    expect(() => model.expectUsedUp()).toThrow('Expected the model to be asked 2 times, but it was asked 1 times.');
  });

  test('fails when it gets nothing done, and a retry goes on with the conversation', async () => {
    const idle = Array.from({ length: 3 }, () => ({ text: 'Hm.' }));
    const failed = await runAgentTest(counter, 'x', { model: idle });
    expect(failed.reason).toBe('The model answered 3 times in a row without submitting its result.');
    const retried = await runAgentTest(counter, 'x', {
      model: [...idle, call('submit_result', { left: 1 })],
      maxRetries: 1,
    });
    expect(retried).toMatchObject({ status: 'SUCCEEDED', attempts: 2, output: { left: 1 } });
    expect(retried.messages).toHaveLength(7);
  });

  test('fails when it goes round in circles, after one more chance', async () => {
    const again = Array.from({ length: 6 }, () => call('stock', { item: 'a' }));
    const run = await runAgentTest(clerk, 'x', { model: again });
    expect(run.reason).toBe('The agent called stock 3 times in a row with the same arguments and the same result.');
    expect(run.script.asked).toHaveLength(6);
  });
});

test('tools are replaced by name', async () => {
  const fake = defineTool({
    name: 'charge',
    description: 'No card.',
    parameters: z.object({ cents: z.int() }),
    run: () => ({ receipt: 'none' }),
  });
  const run = await runAgentTest(cashier, 'x', { model: [{ json: { cents: 1 } }], tools: [fake] });
  expect(run.output).toBe('none m-1');
  expect(effects).toEqual(['mailed none']);
  await expect(runAgentTest(counter, 'x', { tools: [fake] })).rejects.toThrow(
    'Expected a tool to take the place of one of the agent\'s (stock), got "charge".',
  );
});
