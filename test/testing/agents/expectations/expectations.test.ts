import { expect, test } from '@jest/globals';
import { expectFailure, expectSuccess } from '../../../../testing/agents/expectations/expect-end.ts';
import { expectEvent, expectEventOrder, expectNoEvent } from '../../../../testing/agents/expectations/expect-events.ts';
import { expectEffectsOnce, expectNoTool, expectTool } from '../../../../testing/agents/expectations/expect-tools.ts';
import { fits } from '../../../../testing/agents/expectations/fits.ts';
import { runAgentTest } from '../../../../testing/agents/run-agent-test.ts';
import { cashier } from '../shop.ts';

const run = await runAgentTest(cashier, 'A pen', { model: [{ json: { cents: 120 } }] });

test('events that came are found, and a missing one is told with those that came', () => {
  expect(expectEvent(run, { type: 'tool.call', tool: 'charge' })).toMatchObject({ sequence: 4 });
  expectEvent(run.events, { type: 'order.closed', payload: { receipt: /^r-/ } });
  expectEvent({ recorded: run }, { type: 'run.succeeded' });
  expectNoEvent(run, { type: 'tool.result', failed: true });
  expectEventOrder(run, ['run.started', { type: 'tool.result', failed: false }, 'run.succeeded']);
  expect(() => expectEvent(run, { type: 'order.closed', payload: { receipt: /x/ } })).toThrow(
    'Expected an event {"type":"order.closed","payload":{"receipt":"/x/"}}, but of that type came:\n  {"type":"order.closed","payload":{"receipt":"r-120"},"sequence":6}',
  );
  expect(() => expectEvent(run, { type: 'order.lost' })).toThrow('but these types came:\n  run.started\n');
  expect(() => expectNoEvent(run, { type: 'order.closed' })).toThrow('but there came:\n  {"type":"order.closed"');
  expect(() => expectEventOrder(run, ['order.closed', 'tool.call'])).toThrow(
    'Expected an event {"type":"tool.call"} after "order.closed", but the events were:\n  run.started\n',
  );
});

test('tools that ran are counted', () => {
  expect(expectTool(run, 'charge', { input: { cents: 120 }, times: 1 })).toHaveLength(1);
  expectNoTool(run, 'stock');
  expectEffectsOnce(run);
  expect(() => expectTool(run, 'charge', { times: 2 })).toThrow(
    'Expected the tool "charge" to run 2 times, but these ran:\n  charge({"cents":120})',
  );
  expect(() => expectTool(run, 'stock', { input: { item: 'x' } })).toThrow(
    'Expected the tool "stock" to run with {"item":"x"}',
  );
  expect(() => expectNoTool(run, 'charge')).toThrow('Expected the tool "charge" not to run, but it did:');
  const [one] = run.executions;
  expect(() => expectEffectsOnce({ executions: one ? [one, one] : [] })).toThrow(
    'Expected each effect once, but these were made more than once:\n  charge({"cents":120})',
  );
});

test('the end is told', () => {
  expect(expectSuccess(run)).toBe('r-120 m-1');
  const failed = { ...run, status: 'FAILED' as const, reason: 'no card', output: undefined };
  expect(expectFailure(failed, /card/)).toBe('no card');
  expect(() => expectSuccess(failed)).toThrow('Expected the run to succeed, but it ended as FAILED: no card');
  expect(() => expectFailure(run)).toThrow('but it succeeded with "r-120 m-1"');
  expect(() => expectFailure(failed, 'no money')).toThrow(
    'Expected the run to fail with "no money", but it ended as FAILED: no card',
  );
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: 2 }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[1, { x: 'yes' }], [1, { x: /^y/ }], true],
  [[1, 2], [1], false],
  [{ 0: 1 }, [1], false],
  [null, {}, false],
  [5, (value: unknown) => Number(value) > 4, true],
  [5, /5/, false],
  [undefined, undefined, true],
])('%j fits %j: %p', (value, pattern, expected) => {
  expect(fits(value, pattern)).toBe(expected);
});
