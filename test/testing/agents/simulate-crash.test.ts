import { beforeEach, describe, expect, test } from '@jest/globals';
import { defineAgent } from '../../../agents/runtime/definition/define-agent.ts';
import { steps } from '../../../agents/runtime/steps/run-steps.ts';
import { step } from '../../../agents/runtime/steps/step.ts';
import { expectEffectsOnce } from '../../../testing/agents/expectations/expect-tools.ts';
import { runAgentTest } from '../../../testing/agents/run-agent-test.ts';
import { scriptAnswers } from '../../../testing/agents/scripted-answers.ts';
import { type CrashPoint, simulateCrash } from '../../../testing/agents/simulate-crash.ts';
import { cashier, charge, clerk, effects } from './shop.ts';

beforeEach(() => {
  effects.length = 0;
});

const once = ['charged 120', 'mailed r-120'];

describe('a coded agent that dies', () => {
  test.each<CrashPoint>(['model:generate', 'tool:charge', 'once:mail', 1, 2, 3])(
    'after %s goes on, and makes each effect once',
    async (after) => {
      const model = scriptAnswers([{ json: { cents: 120 } }]);
      const run = await runAgentTest(cashier, 'A pen', { model, crash: simulateCrash({ after }) });
      expect(run).toMatchObject({ status: 'SUCCEEDED', output: 'r-120 m-1', crashes: 1, attempts: 1 });
      expect(effects).toEqual(once);
      expectEffectsOnce(run);
      model.expectUsedUp();
    },
  );

  test('at each of its operations, one after the other, goes on', async () => {
    const crash = [1, 1, 1].map((after) => simulateCrash({ after }));
    const run = await runAgentTest(cashier, 'A pen', { model: [{ json: { cents: 120 } }], crash });
    expect(run).toMatchObject({ output: 'r-120 m-1', crashes: 3 });
    expect(effects).toEqual(once);
  });

  test('while a call with side effects is under way learns that nobody knows whether it took effect', async () => {
    const crash = simulateCrash({ during: 'tool:charge' });
    const run = await runAgentTest(cashier, 'A pen', { model: [{ json: { cents: 120 } }], crash });
    expect(run).toMatchObject({ status: 'FAILED', crashes: 1 });
    expect(run.reason).toMatch('nobody knows whether it took effect');
    expect(effects).toEqual(['charged 120']);
  });

  test('while a model call is under way asks again', async () => {
    const model = scriptAnswers([{ json: { cents: 1 } }, { json: { cents: 120 } }]);
    const run = await runAgentTest(cashier, 'A pen', { model, crash: simulateCrash({ during: 'model:generate' }) });
    expect(run.output).toBe('r-120 m-1');
  });

  test('between its steps skips those that had finished', async () => {
    const did: string[] = [];
    const walker = defineAgent({
      key: 'walker',
      async run(context) {
        const { results } = await steps(context).run([
          step('one', () => did.push('one')),
          step('two', () => did.push('two')),
        ]);
        return { finalOutput: results };
      },
    });
    const run = await runAgentTest(walker, 'go', { crash: simulateCrash({ after: 'step:one' }) });
    expect(run.output).toEqual({ one: 1, two: 2 });
    expect(did).toEqual(['one', 'two']);
    expect(run.events.map(({ type }) => type)).toContain('step.skipped');
  });

  test('and makes an effect anew, since what it asks for differs each time, is found out', async () => {
    let time = 0;
    const forgetful = defineAgent({
      key: 'forgetful',
      tools: [charge],
      async run(context) {
        time += 1;
        await context.generate(`It is ${time}`);
        await context.callTool('charge', { cents: 120 });
        return { finalOutput: await context.once('end', async () => 'done') };
      },
    });
    const unlike = { ...forgetful, tools: [{ ...charge, hasSideEffects: true }] };
    const run = await runAgentTest(unlike, 'x', {
      model: [{ text: 'a' }, { text: 'b' }],
      crash: simulateCrash({ after: 'tool:charge' }),
    });
    expect(run.script.asked).toHaveLength(2);
    expectEffectsOnce(run); // the same question finds its answer, whatever was asked before
    const pricing = defineAgent({
      key: 'pricing',
      tools: [charge],
      async run(context) {
        time += 1;
        for (const cents of time % 2 ? [1, 2] : [2, 1, 2]) await context.callTool('charge', { cents });
        return { finalOutput: 'done' };
      },
    });
    time = 0;
    const twice = await runAgentTest(pricing, 'x', { crash: simulateCrash({ after: 'tool:charge', time: 2 }) });
    expect(() => expectEffectsOnce(twice)).toThrow('more than once:\n  charge({"cents":2})');
  });

  test('must reach the point at which it dies', async () => {
    const crash = simulateCrash({ after: 'tool:refund' });
    await expect(runAgentTest(cashier, 'x', { model: [{ json: { cents: 1 } }], crash })).rejects.toMatchObject({
      code: 'CrashNotReached',
      message:
        'Expected the run to crash after tool:refund, time 1, but it ended (SUCCEEDED) before. It did: model:generate, tool:charge, once:mail.',
    });
    expect(() => simulateCrash({})).toThrow('Expected either `after` or `during` of a crash.');
  });
});

test.each<CrashPoint>(['model:generate', 'tool:charge', 2, 3])(
  'a declared agent that dies after %s goes on from its conversation',
  async (after) => {
    const model = scriptAnswers([
      { calls: [{ tool: 'charge', arguments: { cents: 120 } }] },
      { calls: [{ tool: 'stock', arguments: { item: 'pens' } }] },
      { text: 'Done.' },
    ]);
    const run = await runAgentTest(clerk, 'A pen', { model, crash: simulateCrash({ after }) });
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: 'Done.', crashes: 1 });
    expect(effects).toEqual(['charged 120']);
    model.expectUsedUp();
  },
);

test('a declared agent is told of a call that was cut off', async () => {
  const run = await runAgentTest(clerk, 'A pen', {
    model: [{ calls: [{ tool: 'charge', arguments: { cents: 120 } }] }, { text: 'I will look.' }],
    crash: simulateCrash({ during: 'tool:charge' }),
  });
  expect(run.output).toBe('I will look.');
  expect(run.messages.at(-2)?.content).toMatch('nobody knows whether it took effect');
  expect(effects).toEqual(['charged 120']);
});
