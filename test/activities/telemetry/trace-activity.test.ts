import { expect, test } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import { traceActivity } from '../../../activities/telemetry/trace-activity.ts';
import { noLog } from '../../../domain/telemetry/log.ts';
import { noMetrics } from '../../../domain/telemetry/metrics.ts';
import type { FinishedSpan } from '../../../domain/telemetry/span.ts';
import { traceHeader } from '../../../domain/telemetry/trace-context.ts';
import { openTracer } from '../../../telemetry/open-tracer.ts';

type ActivityContext = Parameters<typeof traceActivity>[0];

const traceparent = `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01`;
const traced = { [traceHeader]: defaultPayloadConverter.toPayload({ traceparent }) };

/** Executes an activity of this name with the interceptors; returns what is told of it. */
async function execute(
  activityType: string,
  {
    input = {},
    headers = {},
    work = async () => 'done',
  }: { input?: object; headers?: object; work?: () => Promise<unknown> },
) {
  const spans: FinishedSpan[] = [];
  const ended: unknown[] = [];
  const sinks = [{ onSpan: (span: FinishedSpan) => void spans.push(span) }];
  const tracer = await openTracer({ headers: {}, serviceName: 'test', contents: false, sinks }, { warn() {} });
  const metrics = { ...noMetrics, runEnded: (...run: unknown[]) => void ended.push(run) };
  const workflowExecution = { workflowId: 'chat-a', runId: 'run-1' };
  const info = { activityType, activityId: '7', attempt: 2, workflowExecution };
  const { inbound, outbound } = traceActivity({ info } as ActivityContext, { log: noLog, tracer, metrics });
  let logged: object = {};
  const next = async () => {
    logged = outbound?.getLogAttributes?.({ workflowId: 'chat-a' }, (attributes) => attributes) ?? {};
    return work();
  };
  const result = await inbound?.execute?.({ args: [input], headers: headers as typeof traced }, next).catch(String);
  await tracer.close();
  return { spans, ended, logged, result };
}

const turn = { owner: { kind: 'chat', id: 'chat-a' }, runId: 'chat-a-r1', turn: 3 };

test('an attempt is a span below its workflow, and its log says which run and trace it belongs to', async () => {
  const { spans, logged, result } = await execute('callModel', { input: turn, headers: traced });
  expect(result).toBe('done');
  expect(spans).toMatchObject([
    {
      name: 'RunActivity:callModel',
      traceId: 'a1'.repeat(16),
      parentSpanId: 'b2'.repeat(8),
      attributes: { temporalActivityId: '7', temporalWorkflowId: 'chat-a', run_id: 'run-1', 'longhaul.attempt': 2 },
    },
  ]);
  expect(logged).toEqual({
    workflowId: 'chat-a',
    run: 'chat-a-r1',
    turn: 3,
    chat: 'chat-a',
    trace_id: 'a1'.repeat(16),
    span_id: spans[0]?.spanId,
  });
});

test('an activity of an untraced workflow has no span', async () => {
  const { spans, logged } = await execute('maintainMemory', {});
  expect(spans).toEqual([]);
  expect(logged).toEqual({ workflowId: 'chat-a' });
});

test('a failed attempt is a failed span and is thrown as it is', async () => {
  const work = () => Promise.reject(new TypeError('No.'));
  const { spans, result } = await execute('runTool', { input: turn, headers: traced, work });
  expect(result).toBe('TypeError: No.');
  expect(spans).toMatchObject([{ error: 'No.', attributes: { 'error.type': 'TypeError' } }]);
});

test("a try of a user's agent that failed is a failed span with its own number", async () => {
  const failed = { status: 'FAILED', reason: 'No weather.', retryable: true };
  const input = { runId: 'weather-1', attempt: 3 };
  const { spans, result } = await execute('runCodedAgent', {
    input,
    headers: traced,
    work: async () => failed as never,
  });
  expect(result).toBe(failed);
  expect(spans).toMatchObject([
    { error: 'No weather.', attributes: { 'error.type': 'agent_failed', 'longhaul.attempt': 3 } },
  ]);
});

test('a run counts once it has ended, not when storing that fails', async () => {
  const input = { chatId: 'chat-a', id: 'm1', status: 'ANSWERED' };
  expect((await execute('endExchange', { input })).ended).toEqual([['chat', 'ANSWERED']]);
  const work = () => Promise.reject(new Error('away'));
  expect((await execute('endExchange', { input, work })).ended).toEqual([]);
  expect((await execute('callModel', { input: turn })).ended).toEqual([]);
});
