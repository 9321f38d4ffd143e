import { expect, test } from '@jest/globals';
import { steps } from '../../../agents/runtime/steps/run-steps.ts';
import { type StepContext, step } from '../../../agents/runtime/steps/step.ts';
import { createTestContext } from '../../../testing/agents/create-test-context.ts';
import { charge, stock } from './shop.ts';

test("an agent's function is given all that a run has, and what it does is recorded", async () => {
  const context = createTestContext({
    inputMessages: 'A pen',
    params: { shop: 1 },
    state: { seen: 2 },
    metadata: { user: 'ada' },
    conversationId: 'c-1',
    tools: [stock, charge],
    model: [{ text: 'Hello' }],
  });
  expect(context).toMatchObject({ runId: 'test-run', attempt: 1, params: { shop: 1 }, state: { seen: 2 } });
  expect(context.inputMessages).toEqual([{ role: 'user', content: 'A pen' }]);
  expect((await context.generate('Hi')).text).toBe('Hello');
  expect(await context.callTool('stock', { item: 'pens' })).toBe('7 of pens');
  await context.progress(50, 'half');
  await context.checkpoint({ seen: 3 });
  const { results } = await steps(context).run([step('one', () => 1)]);
  expect(results).toEqual({ one: 1 });
  expect(context.state).toEqual({ seen: 3 });
  expect(context.recorded.checkpoints).toEqual([{ number: 1, state: { seen: 3 } }]);
  expect(context.recorded.operations.map(({ kind }) => kind)).toEqual(['model', 'tool', 'step']);
  expect(context.executions).toMatchObject([{ tool: 'stock', input: { item: 'pens' }, hasSideEffects: false }]);
  expect(context.recorded.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  context.cancel();
  expect(context.isCancelled()).toBe(true);
  await expect(context.callTool('stock', { item: 'x' })).rejects.toThrow('The run was cancelled.');
});

test('a model that was not scripted is not asked', async () => {
  const context = createTestContext();
  await expect(context.generate('Hi')).rejects.toMatchObject({ code: 'ScriptExhausted' });
});

test('a step is given the results of those before it, typed as its function expects them', async () => {
  const context = createTestContext();
  const { results } = await steps(context).run([
    step('fetch', () => 'sun'),
    step('print', ({ results: { fetch } }: StepContext<object, { fetch: string }>) => fetch.toUpperCase()),
  ]);
  const printed: string = results.print;
  expect(printed).toBe('SUN');
});
